#!/usr/bin/env bash
# Finds GPUs of one model for Flink's GPU driver.
#
#   gpu-discovery.sh AMOUNT MODEL
#
# AMOUNT is external-resource.<name>.amount, MODEL comes from
# external-resource.<name>.param.discovery-script.args: B300, H200, another word of the name that
# nvidia-smi prints, or any. Prints AMOUNT indexes, separated by commas, and nothing else. Else it
# says on standard error what was wanted and what is there, and exits with 1.
#
# Indexes are nvidia-smi's: set CUDA_DEVICE_ORDER=PCI_BUS_ID for what uses them. Two task managers
# on one machine would get the same GPUs: run one, with a larger AMOUNT.
set -euo pipefail

fail() {
  printf 'gpu-discovery: %s\n' "$*" >&2
  exit 1
}

amount=${1:-}
model=${2:-any}
# Flink passes the word null when discovery-script.args is not set.
[ "$model" != null ] || model=any
[[ "$amount" =~ ^[1-9][0-9]*$ ]] || fail "the amount must be a whole number from 1, not \"$amount\""
[[ "$model" =~ ^[A-Za-z0-9-]+$ ]] || fail "the model must be one word like B300, H200 or any, not \"$model\""
command -v nvidia-smi > /dev/null \
  || fail "no nvidia-smi on this machine: is the NVIDIA driver installed and in PATH?"
listed=$(nvidia-smi --query-gpu=index,name --format=csv,noheader 2>&1) \
  || fail "nvidia-smi failed: $(printf '%s' "$listed" | tr '\n' ' ')"

found=()
names=()
while IFS=, read -r index name; do
  index=${index//[[:space:]]/}
  name=$(printf '%s' "$name" | tr -d '\r' | sed 's/^ *//; s/ *$//')
  [[ "$index" =~ ^[0-9]+$ ]] || continue
  names+=("$index: $name")
  # A word of the name: B30 is not B300, and H200 is the "NVIDIA H200 NVL" too.
  if [ "${model,,}" = any ] || printf '%s\n' "$name" | tr ' _/' '\n' | grep -qix -- "$model"; then
    found+=("$index")
  fi
done <<< "$listed"

if [ ${#found[@]} -lt "$amount" ]; then
  there=none
  [ ${#names[@]} -eq 0 ] || there=$(printf '%s; ' "${names[@]}")
  fail "$amount of model $model wanted, ${#found[@]} found; GPUs of this machine: ${there%; }"
fi
chosen=("${found[@]:0:amount}")
(IFS=,; printf '%s\n' "${chosen[*]}")
