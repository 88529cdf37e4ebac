#!/usr/bin/env python3
"""Grades a pytest log: writes reward.json and ends with 0 if all tests ended as they have to."""
import json
import os
import sys

STATUSES = ("PASSED", "FAILED", "SKIPPED", "ERROR", "XFAIL", "XPASS")
OUTPUT = "/logs/verifier/reward.json"


def names(config, key):
    value = config.get(key) or []
    return json.loads(value) if isinstance(value, str) else value


def statuses(log):
    found = {}
    for line in log.split("\n"):
        if not line.startswith(STATUSES):
            continue
        if line.startswith("FAILED"):
            line = line.replace(" - ", " ")
        words = line.split()
        if len(words) >= 2:
            found[words[1]] = words[0]
    return found


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        found = statuses(file.read())
    repaired, kept = names(config, "FAIL_TO_PASS"), names(config, "PASS_TO_PASS")

    def passed(tests):
        return sum(found.get(test) in ("PASSED", "XFAIL") for test in tests)

    total = len(repaired) + len(kept)
    count = passed(repaired) + passed(kept)
    fraction = count / total if total else 0.0
    resolved = total > 0 and count == total
    result = {
        "score_raw": 100 * fraction,
        "cases_passed": count,
        "cases_total": total,
        "is_solved": resolved,
        "reward": 1.0 if resolved else fraction,
        "fail_to_pass_passed": passed(repaired),
        "fail_to_pass_total": len(repaired),
        "pass_to_pass_passed": passed(kept),
        "pass_to_pass_total": len(kept),
    }
    os.makedirs(os.path.dirname(OUTPUT), exist_ok=True)
    with open(OUTPUT, "w", encoding="utf-8") as file:
        json.dump(result, file)
    return 0 if resolved else 1


if __name__ == "__main__":
    sys.exit(main())
