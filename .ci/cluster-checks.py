"""Questions that .ci/cluster asks Flink's REST interface; the exit code is the answer."""

import json
import re
import sys
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(base, path):
    with OPENER.open(base + path, timeout=20) as answer:
        return json.load(answer)


def machines(base, job):
    """The task managers of each vertex whose subtasks all run, by its name; None when one does not."""
    found = {}
    for vertex in get(base, f"/jobs/{job}")["vertices"]:
        subtasks = get(base, f"/jobs/{job}/vertices/{vertex['id']}")["subtasks"]
        if any(s["status"] != "RUNNING" for s in subtasks):
            return None
        found[vertex["id"], vertex["name"]] = {s["taskmanager-id"] for s in subtasks}
    return found


def region(base, job):
    """The vertices that are connected with the trainer's."""
    nodes = get(base, f"/jobs/{job}/plan")["plan"]["nodes"]
    edges = [(n["id"], i["id"]) for n in nodes for i in n.get("inputs", [])]
    vertices = get(base, f"/jobs/{job}")["vertices"]
    inside = {v["id"] for v in vertices if "Train" in v["name"].replace("Training", "")}
    while True:
        more = {b for a, b in edges if a in inside} | {a for a, b in edges if b in inside}
        if more <= inside:
            return inside
        inside |= more


def placed(base, job, gpu):
    where = machines(base, job)
    if where is None:
        return False
    learn = region(base, job)
    if not learn:
        raise SystemExit("no trainer among " + str([name for _, name in where]))
    inside = set().union(*(tms for (vertex, _), tms in where.items() if vertex in learn))
    outside = set().union(*(tms for (vertex, _), tms in where.items() if vertex not in learn))
    if inside != {gpu} or gpu in outside:
        print(f"trainer's region on {inside}, others on {outside}")
        return False
    return True


def completed(base, job):
    return get(base, f"/jobs/{job}/checkpoints")["counts"]["completed"]


def step(base, job):
    """The policy version that the trainer has come to; 0 while it isn't there."""
    for vertex in get(base, f"/jobs/{job}")["vertices"]:
        for metric in get(base, f"/jobs/{job}/vertices/{vertex['id']}/metrics?get=0.Train.train.step"):
            return int(float(metric["value"]))
    return 0


def say(number):
    print(number)
    return True


def dashboard(base, file):
    """Whether the reporters of all processes together have each metric that the dashboard shows."""
    with open(file) as text:
        shown = json.load(text)["panels"]
    wanted = {m for p in shown for t in p["targets"] for m in re.findall(r"flink_\w+", t["expr"])}
    offered = set()
    for port in range(9249, 9270):
        try:
            with OPENER.open(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
                offered |= set(re.findall(r"^(flink_\w+)", answer.read().decode(), re.MULTILINE))
        except OSError:
            continue
    missing = sorted(wanted - offered)
    if missing:
        print("not reported: " + ", ".join(missing))
    return not missing


def cancel(base, job):
    OPENER.open(urllib.request.Request(f"{base}/jobs/{job}?mode=cancel", method="PATCH"), timeout=20).close()
    return True


def finished(base, job):
    state = get(base, f"/jobs/{job}")["state"]
    if state in ("FAILED", "CANCELED", "SUSPENDED"):
        raise SystemExit(f"the job is {state}")
    return state == "FINISHED"


def summary(file, steps):
    with open(file) as text:
        found = json.load(text)
    problems = []
    if found["state"] != "finished":
        problems.append("state " + found["state"])
    if found["steps"] != int(steps):
        problems.append(f"{found['steps']} steps instead of {steps}")
    if problems:
        print("; ".join(problems))
    return not problems


QUESTIONS = {
    "placed": placed,
    "not-placed": lambda base, job: machines(base, job) is None,
    "step": lambda base, job: say(step(base, job)),
    "step-at-least": lambda base, job, least: step(base, job) >= int(least),
    "checkpoints": lambda base, job: say(completed(base, job)),
    "checkpoints-at-least": lambda base, job, least: completed(base, job) >= int(least),
    "cancel": cancel,
    "finished": finished,
    "dashboard": dashboard,
}

if sys.argv[1] == "summary":
    sys.exit(0 if summary(*sys.argv[2:]) else 1)
try:
    answer = QUESTIONS[sys.argv[2]](sys.argv[1], *sys.argv[3:])
except OSError as away:
    print("no answer yet:", away)
    answer = False
sys.exit(0 if answer else 1)
