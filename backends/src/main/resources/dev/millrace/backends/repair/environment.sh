# Images of datasets have a repository's packages in a conda environment of that name, or in the
# system's Python.
for conda in /opt/miniconda3 /opt/conda /root/miniconda3; do
  if [ -f "$conda/etc/profile.d/conda.sh" ] && [ -d "$conda/envs/testbed" ]; then
    . "$conda/etc/profile.d/conda.sh"
    conda activate testbed
    break
  fi
done
