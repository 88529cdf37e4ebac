# Commits the repository as it is now to a repository outside of the working folder.
set -e
git init -q
git add -A -f .
git commit -q --no-verify --allow-empty -m base
