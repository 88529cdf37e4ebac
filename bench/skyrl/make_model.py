"""Makes a tiny Qwen3 and its tokenizer in a folder that servers read as a model.

Its weights are random at first. It is then shown how the example tasks are repaired, for some
hundred steps, so that attempts succeed now and then: a policy whose every attempt fails teaches
nothing. What it is shown, and the tokenizer's merges, come from the repository alone.
"""

import argparse
import json
import random
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "backends/src/main/resources/dev/millrace/backends/render/tools-json.txt"
TASKS = ROOT / "examples/tasks"
SYSTEM = "Repair the repository."
MARKS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
WORDS = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
CONTEXT = 1024


def prompt(instruction):
    tools = TOOLS.read_text().rstrip()
    return (
        f"<|im_start|>system\n{SYSTEM}\n\n{tools}<|im_end|>\n"
        f"<|im_start|>user\n{instruction}<|im_end|>\n<|im_start|>assistant\n"
    )


def call(command):
    arguments = json.dumps({"name": "bash", "arguments": {"command": command}})
    return f"<tool_call>\n{arguments}\n</tool_call><|im_end|>"


def response(output):
    return (
        f"\n<|im_start|>user\n<tool_response>\nexit_code=0\n{output}\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def demonstrations():
    """Conversations as parts of text, each with whether the model says it."""
    shown = []
    for task in sorted(TASKS.glob("train-*")):
        repository = task / "environment/repo"
        files = "".join(path.read_text() for path in sorted(repository.iterdir()))
        repair = (task / "solution/solve.sh").read_text().splitlines()[-1]
        shown.append([
            (prompt((task / "instruction.md").read_text()), False),
            (call("cat *"), True),
            (response(files), False),
            (call(repair), True),
            (response(""), False),
            ("done<|im_end|>", True),
        ])
    return shown


def make_tokenizer(folder, texts):
    tokenizer = Tokenizer(models.BPE())
    pattern = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(pattern), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=640, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(mark, special=True, normalized=False) for mark in MARKS])
    tokenizer.add_tokens([AddedToken(word, special=False, normalized=False) for word in WORDS])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    ).save_pretrained(folder)
    return tokenizer


def tensors(tokenizer, conversation):
    ids, said = [], []
    for text, by_model in conversation:
        part = tokenizer.encode(text, add_special_tokens=False).ids
        ids += part
        said += [by_model] * len(part)
    labels = [token if by_model else -100 for token, by_model in zip(ids, said)]
    return torch.tensor([ids]), torch.tensor([labels])


def teach(model, lessons, steps, seed):
    order = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    for step in range(steps):
        optimizer.zero_grad()
        total = 0.0
        for ids, labels in order.sample(lessons, 4):
            loss = model(input_ids=ids, labels=labels).loss / 4
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % 10 == 0:
            print(f"step {step + 1} loss {total:.3f}", flush=True)
    model.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=150, help="of demonstrations; 0 stays random")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    shown = demonstrations()
    args.folder.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer(args.folder, ["".join(text for text, _ in one) for one in shown])
    config = Qwen3Config(
        vocab_size=(tokenizer.get_vocab_size() + 63) // 64 * 64,
        hidden_size=96,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=24,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=False,
        rope_theta=10_000.0,
        bos_token_id=None,
        eos_token_id=tokenizer.token_to_id("<|im_end|>"),
        pad_token_id=tokenizer.token_to_id("<|endoftext|>"),
        dtype="float32",
    )
    model = Qwen3ForCausalLM(config).float()
    lessons = [tensors(tokenizer, conversation) for conversation in shown]
    print(f"{sum(p.numel() for p in model.parameters())} parameters, "
          f"{config.vocab_size} ids, {max(ids.shape[1] for ids, _ in lessons)} tokens at most")
    teach(model, lessons, args.steps, args.seed)
    model.save_pretrained(args.folder)


if __name__ == "__main__":
    main()
