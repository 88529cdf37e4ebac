package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.dataset.RejectedRow;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.Topics;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import dev.millrace.pipeline.settings.TaskSettings;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.CatalogueStart;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueCheckTest {
    private static final List<Task> BEGUN =
            List.of(
                    task("a", "file:/one/a", Split.TRAIN),
                    task("b", "file:/one/b", Split.TRAIN),
                    task("c", "file:/one/c", Split.TEST));
    private static final Path DEMO = Path.of("../recipes/demo.yaml");

    @TempDir private static Path folder;
    private static EmbeddedBroker broker;
    private static int runs;
    private final List<String> said = new ArrayList<>();
    private RunPlace run;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.start(folder);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private RunPlace newRun() {
        KafkaCluster cluster = KafkaCluster.at(broker.bootstrapServers());
        TopicNames names = new TopicNames("run" + runs++);
        Topics.ensure(cluster, names.specs(2));
        return new RunPlace(cluster, names, "run-1");
    }

    private static Task task(String id, String uri, Split split) {
        return new Task(id, uri, split, "");
    }

    private static List<Task> with(int position, Task other) {
        List<Task> tasks = new ArrayList<>(BEGUN);
        tasks.set(position, other);
        return tasks;
    }

    private static CatalogueSettlement of(List<Task> tasks) throws Exception {
        return of(tasks, List.of());
    }

    private static CatalogueSettlement of(List<Task> tasks, List<RejectedRow> rejected)
            throws Exception {
        return new CatalogueSettlement(
                folderSettings(), new TaskCatalogue(tasks, List.of(), rejected));
    }

    private static TaskSettings folderSettings(String... more) throws SettingsException {
        List<String> overrides = new ArrayList<>(List.of("tasks.source=folder", "tasks.path=x"));
        overrides.addAll(List.of(more));
        return RecipeReader.read(List.of(DEMO), overrides).tasks();
    }

    private void journal(long group) {
        Admission admission =
                new Admission(
                        "run-1",
                        Lane.TRAIN,
                        "run-1/g" + group,
                        group,
                        "x",
                        1,
                        0,
                        "r",
                        BEGUN.get(0),
                        new PolicyRef(new PolicyVersion(1, 0), "w"),
                        1,
                        1,
                        "",
                        new AttemptBudget(1, 1, 1, 1, 1, 1, 1));
        StepEvent event =
                StepEvent.of(
                                "rollout",
                                "r",
                                admission.attemptId(),
                                "x",
                                StepEvent.ADMIT,
                                StepEvent.Kind.ADMITTED,
                                0)
                        .with(admission);
        TopicAppend.append(
                run.cluster(),
                List.of(
                        new ProducerRecord<>(
                                run.names().turns(), "r" + group, Wire.encode(event))));
    }

    private List<Reject> rejects() {
        List<Reject> rejects = new ArrayList<>();
        TopicScan.read(
                run.cluster(),
                run.names().rejects(),
                record -> rejects.add(Wire.decode(record.value(), Reject.class)));
        return rejects;
    }

    @Test
    void namesOtherTasks() {
        assertThat(CatalogueCheck.difference(BEGUN, with(1, task("z", "file:/z", Split.TRAIN))))
                .contains("missing b, new z");
    }

    @Test
    void namesATaskThatChangedItsSplitAndAnotherOrder() {
        assertThat(CatalogueCheck.difference(BEGUN, with(2, task("c", "file:/c", Split.TRAIN))))
                .contains("missing c, new c");
        List<Task> turned = List.of(BEGUN.get(1), BEGUN.get(0), BEGUN.get(2));
        assertThat(CatalogueCheck.difference(BEGUN, turned)).contains("they come in another order");
    }

    @Test
    void whereTheTasksLieIsNoPartOfTheirIdentity() {
        List<Task> elsewhere =
                BEGUN.stream()
                        .map(t -> task(t.taskId(), "http://h:1/" + t.taskId(), t.split()))
                        .toList();
        assertThat(CatalogueCheck.difference(BEGUN, elsewhere)).isEmpty();
    }

    @Test
    void aRunIsResumedWithItsTasksOnly() throws Exception {
        run = newRun();
        of(BEGUN).resume(run, false, said::add);
        of(BEGUN).resume(run, false, said::add);
        List<Task> others = with(1, task("z", "file:/z", Split.TRAIN));
        assertThatThrownBy(() -> of(others).resume(run, false, said::add))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("missing b, new z")
                .hasMessageContaining("--restart-tasks");
        assertThat(WrittenCatalogue.read(run).tasks()).isEqualTo(BEGUN);
    }

    @Test
    void otherTasksArePlayedFromTheFirstGroupThatNobodyPlayed() throws Exception {
        run = newRun();
        of(BEGUN).begin(run);
        journal(7);
        journal(3);
        List<Task> others = with(1, task("z", "file:/z", Split.TRAIN));
        of(others).resume(run, true, said::add);
        WrittenCatalogue written = WrittenCatalogue.read(run);
        assertThat(written.tasks()).isEqualTo(others);
        assertThat(written.start().number()).isEqualTo(1);
        assertThat(written.start().firstIndex()).isEqualTo(8);
        assertThat(said).hasSize(1).first().asString().contains("from group g8 on");
        of(others).resume(run, true, said::add);
        of(others).resume(run, false, said::add);
        assertThat(WrittenCatalogue.read(run).start().number()).as("they are played").isOne();
        assertThatThrownBy(() -> of(BEGUN).resume(run, false, said::add))
                .hasMessageContaining("missing z, new b");
    }

    @Test
    void otherTasksThatMeasureAreNeverTaken() throws Exception {
        run = newRun();
        of(BEGUN).begin(run);
        List<Task> others = with(2, task("d", "file:/d", Split.TEST));
        assertThatThrownBy(() -> of(others).resume(run, true, said::add))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("missing c, new d")
                .hasMessageContaining("stay for the life of a run");
    }

    @Test
    void rowsThatChangedUnderTheSameIdsAreOtherRows() throws Exception {
        run = newRun();
        Path rows = folder.resolve("rows.jsonl");
        Files.writeString(rows, row("a") + row("b"));
        settlement(rows).begin(run);
        settlement(rows).resume(run, false, said::add);
        Files.writeString(rows, row("a") + row("b").replace("{}", "{\"x\":1}"));
        assertThatThrownBy(() -> settlement(rows).resume(run, false, said::add))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("training rows had the digest")
                .hasMessageContaining("--restart-tasks");
        settlement(rows).resume(run, true, said::add);
        settlement(rows).resume(run, false, said::add);
    }

    private static CatalogueSettlement settlement(Path rows) throws Exception {
        return new CatalogueSettlement(
                folderSettings("tasks.subset=" + rows), new TaskCatalogue(BEGUN, List.of()));
    }

    private static String row(String id) {
        return "{\"metadata\":{\"instance_id\":\"" + id + "\",\"source\":{}}}\n";
    }

    @Test
    void tasksThatWereNotAllWrittenAreNotTakenForTheRuns() throws Exception {
        run = newRun();
        of(BEGUN).begin(run);
        List<Task> others = with(1, task("z", "file:/z", Split.TRAIN));
        CatalogueWriter.write(
                run, 1, 0, new TaskCatalogue(others, List.of()), new CatalogueDigests("", ""));
        truncated(2, others.subList(0, 1), others.size());
        assertThatThrownBy(() -> of(BEGUN).resume(run, false, said::add))
                .hasMessageContaining("not all written")
                .hasMessageContaining("--restart-tasks");
    }

    private void truncated(int number, List<Task> tasks, int size) {
        CatalogueStart start = new CatalogueStart(number, 0, "", "", size, 0);
        List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
        String key = CatalogueStart.key(run.runId());
        records.add(new ProducerRecord<>(run.names().tasks(), key, Wire.encode(start)));
        tasks.forEach(
                task ->
                        records.add(
                                new ProducerRecord<>(
                                        run.names().tasks(), run.runId(), Wire.encode(task))));
        TopicAppend.append(run.cluster(), records);
    }

    @Test
    void generatedTasksAreDrawnOnce() throws Exception {
        run = newRun();
        of(BEGUN).begin(run);
        TaskSettings generated = RecipeReader.read(List.of(DEMO), List.of()).tasks();
        CatalogueSettlement other =
                new CatalogueSettlement(
                        generated, new TaskCatalogue(BEGUN.subList(1, 3), List.of()));
        assertThatThrownBy(() -> other.resume(run, true, said::add))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("tasks.subset");
    }

    @Test
    void rowsThatAreNoTasksBecomeRejectsOnce() throws Exception {
        run = newRun();
        List<RejectedRow> rows =
                List.of(
                        new RejectedRow("data/train-4.jsonl", 3, "task_path is missing"),
                        new RejectedRow("data/train-4.jsonl", 9, "no JSON: x"));
        of(BEGUN, rows).begin(run);
        of(BEGUN, rows).resume(run, false, said::add);
        assertThat(rejects())
                .containsExactly(
                        new Reject(
                                "run-1",
                                "tasks",
                                "malformed_task_row",
                                "data/train-4.jsonl:3",
                                "task_path is missing"),
                        new Reject(
                                "run-1",
                                "tasks",
                                "malformed_task_row",
                                "data/train-4.jsonl:9",
                                "no JSON: x"));
        assertThat(WrittenCatalogue.read(run).start().rejectedRows()).isEqualTo(2);
    }

    @Test
    void aRunThatWasBegunWithoutAWordIsKnownByItsIds() throws Exception {
        run = newRun();
        List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
        BEGUN.forEach(
                task ->
                        records.add(
                                new ProducerRecord<>(
                                        run.names().tasks(), run.runId(), Wire.encode(task))));
        TopicAppend.append(run.cluster(), records);
        of(BEGUN).resume(run, false, said::add);
        of(BEGUN.subList(1, 3)).resume(run, true, said::add);
        assertThat(WrittenCatalogue.read(run).start().number()).isOne();
    }
}
