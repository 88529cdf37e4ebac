"""Computes what a trainer and a sampler of a Qwen3 with a LoRA adapter have to answer.

Reads one JSON object: `adapter`, the URI of a publication, with which training begins; `data`,
sequences with `tokens`, `advantages` and `behavior`; `low` and `high`, the ratio's bounds; `adam`,
the settings of the update. Prints one JSON object: `logprobs` of the data before, `step` with what
training on them reports, and their log-probabilities `after` that. The model is Transformers', the gradient and the update are PyTorch's,
all in double precision: nothing is the server's but the files.
"""

import argparse
import json
import sys
import tarfile
from pathlib import Path

import torch
from safetensors.torch import load
from torch.func import functional_call
from transformers import Qwen3ForCausalLM

PREFIX = "base_model.model."


def read_adapter(archive):
    """The adapter's arrays by their names, and what their product is multiplied by."""
    with tarfile.open(archive) as files:
        content = {Path(member.name).name: files.extractfile(member).read()
                   for member in files if member.isfile()}
    config = json.loads(content["adapter_config.json"])
    arrays = {name.removeprefix(PREFIX): array.double().requires_grad_()
              for name, array in load(content["adapter_model.safetensors"]).items()}
    return arrays, config["lora_alpha"] / config["r"]


class Adapted:
    def __init__(self, model, adapter, scale):
        self.model = model
        self.adapter = adapter
        self.scale = scale
        self.base = {name: weight.detach() for name, weight in model.named_parameters()}

    def weights(self):
        weights = dict(self.base)
        for name, down in self.adapter.items():
            if name.endswith(".lora_A.weight"):
                up = self.adapter[name.replace("lora_A", "lora_B")]
                target = name.replace(".lora_A", "")
                weights[target] = self.base[target] + self.scale * up @ down
        return weights

    def logprobs(self, tokens):
        """Of each token but the first, given those before it."""
        ids = torch.tensor([tokens])
        logits = functional_call(self.model, self.weights(), (ids,), {"use_cache": False}).logits
        after = logits[0, :-1].log_softmax(-1)
        return after.gather(-1, ids[0, 1:, None])[:, 0]


def measure(policy, data, low, high):
    """The objective, a tensor, and what is reported about the tokens that count."""
    gains, differences, logprobs, clipped = [], [], [], 0
    for datum in data:
        now = policy.logprobs(datum["tokens"])
        advantages = torch.tensor(datum["advantages"][1:], dtype=torch.double)
        difference = now - torch.tensor(datum["behavior"][1:], dtype=torch.double)
        counts = advantages != 0
        whole = difference.exp() * advantages
        bounded = difference.exp().clamp(low, high) * advantages
        gains.append(torch.minimum(whole, bounded)[counts])
        differences.append(difference[counts])
        logprobs.append(now[counts])
        clipped += int((bounded < whole)[counts].sum())
    difference = torch.cat(differences)
    return -torch.cat(gains).sum(), {
        "divergence": (difference.exp() - 1 - difference).mean().item(),
        "entropy": -torch.cat(logprobs).mean().item(),
        "clipped": clipped / len(difference),
    }


def train(policy, question):
    data = question["data"]
    arrays = list(policy.adapter.values())
    adam = question["adam"]
    optimizer = torch.optim.AdamW(
        arrays, lr=adam["rate"], betas=(adam["beta1"], adam["beta2"]), eps=adam["epsilon"],
        weight_decay=0.0,
    )
    loss, said = measure(policy, data, question["low"], question["high"])
    loss.backward()
    norm = torch.stack([array.grad.square().sum() for array in arrays]).sum().sqrt()
    optimizer.step()
    return {"loss": loss.item(), "norm": norm.item(), **said}


def said_of(policy, data):
    with torch.no_grad():
        return [policy.logprobs(datum["tokens"]).tolist() for datum in data]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the server's, as bench/skyrl/start was told")
    folder = parser.parse_args().folder
    question = json.load(sys.stdin)
    torch.set_num_threads(1)
    model = Qwen3ForCausalLM.from_pretrained(folder / "model", attn_implementation="eager").double()
    owner, name = question["adapter"].removeprefix("tinker://").split("/")
    archive = folder / "checkpoints" / owner / "sampler_weights" / f"{name}.tar.gz"
    policy = Adapted(model, *read_adapter(archive))
    answer = {"logprobs": said_of(policy, question["data"])}
    answer["step"] = train(policy, question)
    answer["after"] = said_of(policy, question["data"])
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
