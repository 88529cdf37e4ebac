package dev.millrace.backends.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.model.TurnAction;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodecsTest {
    private static final Trajectory TRAJECTORY =
            new Trajectory(
                    "run/g0/a1",
                    "adm",
                    new int[] {1, 2, 3},
                    new byte[] {0, 1, 1},
                    new float[] {0, -0.1f, -2.25f},
                    List.of(
                            new Turn(
                                    1,
                                    2,
                                    new PolicyVersion(1, 2),
                                    TurnAction.COMMAND,
                                    "ls",
                                    0,
                                    false)));

    @Test
    void aTrajectoryComesBackBitForBit() throws IOException {
        byte[] bytes = TrajectoryCodec.encode(TRAJECTORY);
        Trajectory read = TrajectoryCodec.decode(bytes);
        assertThat(read).usingRecursiveComparison().isEqualTo(TRAJECTORY);
        assertThat(TrajectoryCodec.encode(read)).isEqualTo(bytes);
    }

    @Test
    void bytesThatAreNoTrajectoryAreAnErrorOfReading() {
        byte[] whole = TrajectoryCodec.encode(TRAJECTORY);
        byte[] half = java.util.Arrays.copyOf(whole, whole.length / 2);
        assertThatThrownBy(() -> TrajectoryCodec.decode(half)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> TrajectoryCodec.decode(new byte[] {1, 2, 3}))
                .isInstanceOf(IOException.class);
        byte[] empty =
                TrajectoryCodec.encode(new Trajectory("a", "b", null, null, null, List.of()));
        assertThatThrownBy(() -> TrajectoryCodec.decode(empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("without tokens");
    }

    @Test
    void logprobsComeBackBitForBit() throws IOException {
        float[] logprobs = {0, -1.5f, Float.MIN_VALUE, -123456.78f};
        assertThat(LogprobsCodec.decode(LogprobsCodec.encode(logprobs))).containsExactly(logprobs);
        assertThatThrownBy(() -> LogprobsCodec.decode(new byte[5]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("5 bytes");
    }
}
