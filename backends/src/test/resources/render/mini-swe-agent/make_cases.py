"""Writes cases.jsonl: what mini-swe-agent itself makes of actions, outputs and templates.

    python3 -m venv venv && venv/bin/pip install mini-swe-agent==2.4.6
    venv/bin/python make_cases.py ../../../../main/resources/dev/millrace/backends/render/mini-swe-agent

The package parses, renders and looks for submissions; the inputs and the templates are this
project's own. Texts that repeat are written as a unit and a count.
"""

import hashlib
import json
import pathlib
import random
import sys
import types

from jinja2 import StrictUndefined, Template
from minisweagent.environments.local import LocalEnvironment
from minisweagent.exceptions import FormatError, Submitted
from minisweagent.models.litellm_textbased_model import LitellmTextbasedModelConfig
from minisweagent.models.utils.actions_text import parse_regex_actions
from minisweagent.models.utils.actions_toolcall import (
    format_toolcall_observation_messages,
    parse_toolcall_actions,
)

TEMPLATES = pathlib.Path(sys.argv[1])
SENTINEL = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
FENCE = LitellmTextbasedModelConfig.model_fields["action_regex"].default
PIECES = {
    "fence": [
        "```mswea_bash_command", "```", "\n```", "\n", "\n\n", " ", "\t", "\r\n", "\x85", "\u2028",
        "ls -la", "echo é🎉", "```bash\n", "why", "```mswea_bash_command\nls\n```",
        "```mswea_bash_command \n\n pwd \n\n```",
    ],
    "output": [
        SENTINEL, SENTINEL, "\n", "\r\n", "\r", "\x0b", "\x1c", "\x1f", "\x85", "\u2028", " ",
        "\u00a0", "\u200b", "diff --git a b", "é🎉", "warning\n",
    ],
    "arguments": [
        '{"command": "ls"}', '{"command": "echo \\"a\\"\\n"}', '{"command": "x", "timeout": 3}',
        '{"cmd": "ls"}', "{}", "[]", '"ls"', "null", '{"command": ""}', "{", "ls", "",
        '{"command": "\\ud83c\\udf89"}', '{"command": "a\tb"}', '{"command": "a", "command": "b"}',
        '{"command": "ls"} x', ' {"command": "p"}\n', '{"command": "x", "n": NaN}',
        '{"command": "x",}', "{'command': 'x'}",
    ],
    "template": [
        "{{ a }}", "{{- b }}", "{{ c -}}", "{% if a %}", "{% if n > 3 -%}",
        '{%- elif b == "x" %}', "{% else %}", "{%- endif %}", "{% endif -%}",
        "{% set n = n + 1 %}", "{%- set a = b[:2] -%}", "\n", " ", "x", "{# c #}",
        "{{ b | length - 2 }}", "{{ (b ~ n)[-3:] }}", "{{ m.k }}",
        "{{ not a and n != 2 or c }}", "{{ zz is defined }}", "{{ b[1:-1] | trim }}",
        '{{ b in ["x", "y"] }}', "{{ b | tojson }}", "{{ -n + 5 }}", "{{ zz }}",
    ],
}

rng = random.Random(20)
lines = []


def mixed(kind, most):
    return "".join(rng.choice(PIECES[kind]) for _ in range(rng.randint(0, most)))


def case(**parts):
    lines.append(json.dumps(parts))


def fences():
    for _ in range(150):
        text = mixed("fence", 9)
        try:
            actions = parse_regex_actions(
                text, action_regex=FENCE, format_error_template="{{ actions | length }}"
            )
            case(kind="fence", text=text, count=1, action=actions[0]["command"])
        except FormatError as error:
            case(kind="fence", text=text, count=error.messages[0]["extra"]["n_actions"])


def calls():
    for _ in range(100):
        made = [
            (rng.choice(["bash"] * 9 + ["python"]), rng.choice(PIECES["arguments"]))
            for _ in range(rng.choice([1, 1, 2, 3]))
        ]
        offered = [
            types.SimpleNamespace(id="", function=types.SimpleNamespace(name=n, arguments=a))
            for n, a in made
        ]
        try:
            actions = parse_toolcall_actions(offered, format_error_template="{{ error }}")
            case(kind="calls", calls=made, commands=[each["command"] for each in actions])
        except FormatError:
            case(kind="calls", calls=made, commands=None)


def submissions():
    environment = LocalEnvironment()
    for number in range(150):
        start = rng.choice(["", "\n", " \t", "\u2003"]) + SENTINEL if number % 2 else ""
        output = start + mixed("output", 6)
        code = rng.choice([0, 0, 0, 1, -1])
        try:
            environment._check_finished({"output": output, "returncode": code})
            case(kind="submission", output=output, code=code, submission=None)
        except Submitted as submitted:
            handed_in = submitted.messages[0]["extra"]["submission"]
            case(kind="submission", output=output, code=code, submission=handed_in)


def observations():
    template = (TEMPLATES / "observation.txt").read_text()
    for unit in ["a", "é\n", "🎉", "漢🎉x", "{{ x }}"]:
        for length in [0, 1, 9998, 9999, 10000, 10001, 12345]:
            count = length // len(unit)
            text = unit * count + "z" * (length - len(unit) * count)
            exception = rng.choice(["", "", "stopped <&>"])
            code = rng.choice([0, 1, -1, 127])
            output = {"output": text, "returncode": code, "exception_info": exception}
            message = format_toolcall_observation_messages(
                actions=[{"command": "x", "tool_call_id": "1"}],
                outputs=[output],
                observation_template=template,
            )[0]
            case(
                kind="observation",
                unit=unit,
                length=length,
                code=code,
                exception=exception,
                sha256=sha256(message["content"]),
            )


def unexecuted():
    message = format_toolcall_observation_messages(
        actions=[{"command": "x", "tool_call_id": "1"}],
        outputs=[],
        observation_template=(TEMPLATES / "observation.txt").read_text(),
    )[0]
    case(kind="unexecuted", text=message["content"])


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def own_templates():
    for name in ["malformed-tool", "malformed-fenced"]:
        for reason in ["length", "stop", "tool_calls"]:
            values = {
                "error": "é <e>\n{{ x }}", "actions": ["x"], "finish_reason": reason,
                "has_tool_calls": True, "fence": "block",
            }
            filled(name, (TEMPLATES / f"{name}.txt").read_text(), values)
    for name in ["system-tool", "system-fenced", "instance-tool", "instance-fenced"]:
        values = {
            "task": "é {{ x }} {% if %}\r\n", "fence": "block", "system": "Linux", "release": "",
            "version": "", "machine": "x86_64",
        }
        filled(name, (TEMPLATES / f"{name}.txt").read_text(), values)


def filled(name, template, values):
    try:
        text = Template(template, undefined=StrictUndefined).render(**values)
    except Exception:
        text = None
    case(kind="template", name=name, template=template, values=values, text=text)


def any_templates():
    for _ in range(250):
        values = {
            "a": rng.choice(["", "A", "🎉é"]), "b": rng.choice(["x", "hello", "🎉<'\n é "]),
            "c": rng.choice([0, 7, True, False]), "n": rng.choice([0, 2, 5]), "m": {"k": "K"},
        }
        filled("", mixed("template", 7), values)


for part in [
    fences, calls, submissions, observations, unexecuted, own_templates, any_templates,
]:
    part()
pathlib.Path("cases.jsonl").write_text("\n".join(lines) + "\n")
