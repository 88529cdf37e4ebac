package dev.millrace.pipeline.topology;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/** Passes everything on, but doesn't start where an external resource has no driver. */
final class AcceleratorCheck<T> extends RichFilterFunction<T> {
    private static final long serialVersionUID = 1L;

    private final String resource;

    AcceleratorCheck(String resource) {
        this.resource = resource;
    }

    @Override
    public void open(OpenContext context) {
        if (getRuntimeContext().getExternalResourceInfos(resource).isEmpty()) {
            throw new IllegalStateException(
                    "This task manager has no "
                            + resource
                            + ". Set external-resource."
                            + resource
                            + ".driver-factory.class and the discovery script in its"
                            + " configuration, and put Flink's GPU driver below its plugins"
                            + " folder; jobmanager.scheduler must be default");
        }
    }

    @Override
    public boolean filter(T value) {
        return true;
    }
}
