# Applies a repair exactly, or by a merge without conflicts. No fuzz: it would grade what nobody wrote.
git apply --whitespace=nowarn /grading/repair.patch && exit 0
git reset -q --hard && git clean -fdqx
git apply --3way --whitespace=nowarn /grading/repair.patch
