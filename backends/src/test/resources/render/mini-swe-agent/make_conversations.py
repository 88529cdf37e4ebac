"""Writes conversations.json: what follows what in a conversation, by the models' chat templates.

    venv/bin/python make_conversations.py FOLDER

FOLDER holds the chat templates of Qwen3, Qwen3.5 and Qwen3.6 as qwen3.jinja, qwen3_5.jinja and
qwen3_6.jinja. The turn of the model is the word TURN.
"""

import json
import pathlib
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

TOOL = {
    "type": "function",
    "function": {
        "name": "bash",
        "description": "Runs a shell command and returns its output.",
        "parameters": {
            "type": "object",
            "properties": {"command": {"type": "string", "description": "The command."}},
            "required": ["command"],
        },
    },
}
SYSTEM = " You work.\n"
TASK = "<task>\nFix é <b>.\n</task>\n"
SEEN = ["<returncode>0</returncode>\n<output>\na\n</output>", " second\n"]
WRONG = "Nothing was run: é.\n"


def rendered(template, messages, tools):
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment.from_string(template).render(
        messages=messages, tools=tools, add_generation_prompt=True, enable_thinking=True
    )


def after_turn(text):
    return text.split("TURN", 1)[1]


found = []
for family in ["qwen3", "qwen3_5", "qwen3_6"]:
    template = (pathlib.Path(sys.argv[1]) / f"{family}.jinja").read_text()
    for fenced in [False, True]:
        tools = None if fenced else [TOOL]
        start = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TASK}]
        turn = start + [{"role": "assistant", "content": "TURN"}]
        role = "user" if fenced else "tool"
        seen = SEEN[:1] if fenced else SEEN
        answered = turn + [{"role": role, "content": each} for each in seen]
        wrong = [{"role": "user", "content": WRONG}]
        found.append(
            {
                "family": family,
                "fenced": fenced,
                "system": SYSTEM,
                "task": TASK,
                "observations": seen,
                "malformed": WRONG,
                "start": rendered(template, start, tools),
                "answered": after_turn(rendered(template, answered, tools)),
                "kept": after_turn(rendered(template, turn + wrong, tools)),
                "dropped": after_turn(rendered(template, answered + wrong, tools)),
                "droppedAtOnce": rendered(template, start + wrong, tools),
            }
        )
pathlib.Path("conversations.json").write_text(
    json.dumps(found, indent=1, ensure_ascii=False) + "\n"
)
