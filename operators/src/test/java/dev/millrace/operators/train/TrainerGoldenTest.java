package dev.millrace.operators.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.operators.Golden;
import org.junit.jupiter.api.Test;

class TrainerGoldenTest {
    @Test
    void theStateIsReadForEver() throws Exception {
        FakePolicyTrainer trainer = new FakePolicyTrainer(7);
        MemoryStore store = new MemoryStore();
        for (int group = 0; group < 3; group++) {
            store.trajectory("run/g" + group + "/a0");
        }
        try (TrainerHarness harness =
                TrainerHarness.open(trainer, store, Golden.state("trainer"))) {
            harness.claim(2, 1, 1);
            harness.minibatch(2, 1, 1);
            harness.untilPublished(2);
            String uri = harness.published().get(harness.published().size() - 1).uri();
            assertThat(trainer.at(uri).trained())
                    .as("three kept minibatches and a new one, each once")
                    .hasSize(4)
                    .doesNotHaveDuplicates();
        }
    }
}
