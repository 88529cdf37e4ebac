package dev.millrace.udfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void makesFolderNamesOfIds() {
        assertThat(SafeName.ofTask("a/b c::d")).isEqualTo("a__b__c__d");
        assertThat(SafeName.ofTask("")).isEqualTo("task");
        assertThat(SafeName.ofTask("..")).isEqualTo("task");
    }

    @Test
    void makesSlugsOfRecipes() {
        assertThat(SafeName.slug("Qwen3.6-27B (agentic)")).isEqualTo("qwen3-6-27b-agentic");
        assertThat(SafeName.slug("...")).isEmpty();
    }

    @Test
    void findsTheFilesOfADiff() {
        String diff =
                """
                diff --git a/x/a.py b/x/b.py
                --- a/x/a.py
                +++ b/x/b.py
                diff --git a/c d b/c d
                """;
        assertThat(DiffPaths.of(diff)).containsExactly("x/b.py", "c d");
        assertThat(DiffPaths.oldAndNew(diff)).containsExactly("x/a.py", "x/b.py", "c d");
    }
}
