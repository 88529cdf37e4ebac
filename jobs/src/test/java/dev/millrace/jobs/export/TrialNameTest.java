package dev.millrace.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialNameTest {
    @Test
    void isTheTasksNameAndSevenCharacters() {
        String name = TrialName.of("fix-bug-01", "run/g1/a0", 0);
        assertThat(name).matches("fix-bug-01__[0-9a-f]{7}");
        assertThat(TrialName.of("fix-bug-01", "run/g1/a0", 0)).isEqualTo(name);
        assertThat(TrialName.of("fix-bug-01", "run/g1/a1", 0)).isNotEqualTo(name);
        assertThat(TrialName.of("fix-bug-01", "run/g1/a0", 1)).isNotEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../../etc/passwd",
                "/etc/passwd",
                "a/../b",
                "\u001b[31mred",
                "-rf",
                "a\u0000b",
                "wörter und leerzeichen",
                "a-very-long-name-of-a-task-that-does-not-end-before-the-limit"
            })
    void isOnePlainPartOfAPath(String task) {
        assertThat(TrialName.of(task, "run/g1/a0", 0))
                .matches("[A-Za-z0-9][A-Za-z0-9._-]{0,31}__[0-9a-f]{7}");
    }
}
