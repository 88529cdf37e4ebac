/** Conversations as Qwen's models read and write them: templates, tokens, tool calls. */
package dev.millrace.backends.render;
