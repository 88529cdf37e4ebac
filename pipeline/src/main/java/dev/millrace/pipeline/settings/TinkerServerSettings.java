package dev.millrace.pipeline.settings;

import dev.millrace.backends.render.ChatFamily;
import java.io.Serializable;

/** A server that samples and trains; only for {@code policy.backend: tinker}. */
public record TinkerServerSettings(
        @Setting(
                        about =
                                "address of a server of the Tinker protocol; its key, where it asks"
                                        + " for one, comes from the environment, TINKER_API_KEY",
                        byDefault = "http://127.0.0.1:8000")
                String baseUrl,
        @Setting(about = "model that the server trains, as it names it", byDefault = "")
                String baseModel,
        @Setting(about = "rank of the adapter", byDefault = "32", min = "1", max = "1024") int rank,
        @Setting(
                        about = "how the model's family writes conversations and tool calls",
                        byDefault = "qwen3_6")
                ChatFamily family,
        @Setting(
                        about =
                                "whether the model thinks before each turn; `false` begins a turn"
                                        + " as its template does with `enable_thinking` off",
                        byDefault = "true")
                boolean thinking,
        @Setting(
                        about = "the model's tokenizer.json, at this path on every machine",
                        byDefault = "")
                String tokenizer,
        @Setting(
                        about = "what the model is told before each task, for `agent.format: tool`",
                        byDefault =
                                "Fix the issue in the repository in the working folder. Use the"
                                    + " bash tool; there is no network. Do not weaken or remove"
                                    + " tests. When it is fixed, answer in a few words without a"
                                    + " tool call.")
                String system)
        implements Serializable {}
