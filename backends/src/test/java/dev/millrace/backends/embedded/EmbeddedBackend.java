package dev.millrace.backends.embedded;

import dev.millrace.backends.port.PolicyBackend;
import java.nio.file.Path;

/** The policy inside the process, for the contracts. */
record EmbeddedBackend(EmbeddedTrainer trainer, EmbeddedSampler sampler, int vocabulary)
        implements PolicyBackend {
    static EmbeddedBackend in(Path directory) {
        ModelShape shape = new ModelShape(Vocabulary.INSTANCE.size(), 16, 2, 2);
        return new EmbeddedBackend(
                new EmbeddedTrainer(directory, shape, 7),
                new EmbeddedSampler(2),
                shape.vocabulary());
    }

    @Override
    public void close() {
        sampler.close();
        trainer.close();
    }
}
