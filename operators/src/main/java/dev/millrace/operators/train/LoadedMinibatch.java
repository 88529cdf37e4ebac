package dev.millrace.operators.train;

import dev.millrace.backends.port.Datum;
import dev.millrace.udfs.model.Reject;
import java.util.List;

/**
 * A minibatch as a trainer session takes it.
 *
 * @param data what could be read
 * @param rejects what could not
 */
record LoadedMinibatch(List<Datum> data, List<Reject> rejects) {}
