package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueCheckTest {
    private static final List<Task> BEGUN =
            List.of(
                    task("a", "file:/one/a", Split.TRAIN),
                    task("b", "file:/one/b", Split.TRAIN),
                    task("c", "file:/one/c", Split.TEST));

    private static Task task(String id, String uri, Split split) {
        return new Task(id, uri, split, "");
    }

    @Test
    void refusesOtherTasksByName() {
        List<Task> other = new ArrayList<>(BEGUN);
        other.set(1, task("z", "file:/one/z", Split.TRAIN));
        assertThatThrownBy(() -> CatalogueCheck.compare(BEGUN, other))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("missing b, new z");
    }

    @Test
    void refusesATaskThatChangedItsSplitAndAnotherOrder() {
        List<Task> moved = new ArrayList<>(BEGUN);
        moved.set(2, task("c", "file:/one/c", Split.TRAIN));
        assertThatThrownBy(() -> CatalogueCheck.compare(BEGUN, moved))
                .hasMessageContaining("missing c, new c");
        List<Task> turned = List.of(BEGUN.get(1), BEGUN.get(0), BEGUN.get(2));
        assertThatThrownBy(() -> CatalogueCheck.compare(BEGUN, turned))
                .hasMessageContaining("another order");
    }

    @Test
    void whereTheTasksLieIsNoPartOfTheirIdentity() {
        List<Task> elsewhere =
                BEGUN.stream()
                        .map(t -> task(t.taskId(), "http://h:1/" + t.taskId(), t.split()))
                        .toList();
        assertThatCode(() -> CatalogueCheck.compare(BEGUN, elsewhere)).doesNotThrowAnyException();
    }

    @Test
    void theTopicSaysWhatARunWasBegunWith(@TempDir Path folder) {
        TopicNames names = new TopicNames("catalogue");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            KafkaCluster at = KafkaCluster.at(broker.bootstrapServers());
            Topics.ensure(at, names.specs(1));
            CatalogueWriter.write(at, names.tasks(), "run-1", BEGUN);
            CatalogueWriter.write(at, names.tasks(), "run-1", BEGUN);
            CatalogueWriter.write(at, names.tasks(), "run-2", BEGUN.subList(0, 1));
            CatalogueCheck.check(at, names.tasks(), "run-1", BEGUN);
            CatalogueCheck.check(at, names.tasks(), "run-3", BEGUN);
            assertThatThrownBy(
                            () ->
                                    CatalogueCheck.check(
                                            at, names.tasks(), "run-1", BEGUN.subList(0, 2)))
                    .hasMessageContaining("missing c, new none");
        }
    }
}
