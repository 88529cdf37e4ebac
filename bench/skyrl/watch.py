"""Watches whether sampling disturbs what is trained, while runs go on.

Asks each model of a SkyRL server, again and again, for the log-probabilities of one fixed text by
its trained weights. The server carries operations out in the order of their numbers, so between two
updates of a model all answers must be equal, whatever was sampled in between; up to rounding, which
depends on what else is in a batch. Prints a line for each stretch between two updates; exit code 1
when one had different answers. The server's check before a run trains an adapter that does.
"""

import argparse
import json
import sqlite3
import time
import urllib.request
from collections import defaultdict

import numpy as np
from tinker.proto import tinker_public_pb2 as proto

ROUNDING = 1e-4
TEXT = [(7 * i * i + 3 * i + 1) % 256 for i in range(24)]


def question(model):
    request = proto.ForwardBackwardRequest(model_id=model, loss_fn="cross_entropy", forward_only=True)
    datum = request.data.add()
    datum.model_input.add().encoded_text.tokens = np.array(TEXT[:-1], "<i4").tobytes()
    for name, values, kind in (
        ("target_tokens", np.array(TEXT[1:], "<i8"), proto.DTYPE_INT64),
        ("weights", np.zeros(len(TEXT) - 1, "<f4"), proto.DTYPE_FLOAT32),
    ):
        tensor = datum.loss_fn_inputs[name]
        tensor.dense = values.tobytes()
        tensor.dtype = kind
        tensor.shape.append(len(values))
    return request.SerializeToString()


def ask(url, model):
    request = urllib.request.Request(
        url + "/api/v1/forward_backward", question(model), {"Content-Type": "application/x-protobuf"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return int(json.load(answer)["request_id"])


def rows(database, sql, *values):
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()


def trained_models(database, since):
    """Models that have published something, and are not unloaded: others may still load a state."""
    return [
        model
        for (model,) in rows(
            database,
            "SELECT DISTINCT f.model_id FROM futures f JOIN models m ON m.model_id = f.model_id"
            " WHERE f.request_type = 'SAVE_WEIGHTS_FOR_SAMPLER' AND f.status = 'COMPLETED'"
            " AND f.request_id > ? AND m.status = 'created'",
            since,
        )
    ]


def stretches(database, asked):
    """By model and number of updates before: the answers, and what was sampled among them."""
    answers = defaultdict(list)
    for model, numbers in asked.items():
        updates = [n for (n,) in rows(
            database, "SELECT request_id FROM futures WHERE model_id = ? AND request_type = 'OPTIM_STEP'"
            " AND status = 'COMPLETED' ORDER BY request_id", model)]
        for number in numbers:
            found = rows(database, "SELECT result_data FROM futures WHERE request_id = ?"
                         " AND status = 'COMPLETED'", number)
            if found:
                output = json.loads(found[0][0])["loss_fn_outputs"][0]["logprobs"]["data"]
                answers[model, sum(u < number for u in updates)].append((number, tuple(output)))
    return answers


def farthest(found):
    first = found[0][1]
    return max(abs(a - b) for _, values in found for a, b in zip(first, values))


def report(database, asked):
    failed = 0
    crossed = 0
    for (model, updates), found in sorted(stretches(database, asked).items()):
        first, last = min(found)[0], max(found)[0]
        apart = farthest(found)
        samples = rows(database, "SELECT count(*) FROM futures WHERE model_id = ? AND request_type ="
                       " 'SAMPLE' AND request_id BETWEEN ? AND ?", model, first, last)[0][0]
        crossed += samples > 0 and len(found) > 1
        failed += apart > ROUNDING
        print(f"{model} after {updates} updates: {len(found)} answers, {samples} samples among them, "
              f"{apart:.1e} apart{'' if apart <= ROUNDING else ' DIFFERENT'}")
    print(f"{crossed} stretches with samples between answers, {failed} with different answers")
    return failed


def watch(args, asked):
    since = rows(args.database, "SELECT coalesce(max(request_id), 0) FROM futures")[0][0]
    end = time.monotonic() + args.seconds
    while time.monotonic() < end:
        for model in trained_models(args.database, since):
            try:
                asked[model].append(ask(args.url, model))
            except OSError as e:
                print(f"not asked: {e}", flush=True)
        time.sleep(args.every)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", help="the server's, as bench/skyrl/start says")
    parser.add_argument("url")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--every", type=float, default=3.0, help="seconds between questions")
    args = parser.parse_args()
    asked = defaultdict(list)
    try:
        watch(args, asked)
    except KeyboardInterrupt:
        print("stopped")
    return 1 if report(args.database, asked) else 0


if __name__ == "__main__":
    raise SystemExit(main())
