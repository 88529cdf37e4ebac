package dev.millrace.operators.admission;

import dev.millrace.udfs.model.Task;
import java.io.Serializable;

/** Makes tasks of the records of a topic of rows. Pure: it looks at no file. */
@FunctionalInterface
public interface RowDecoder extends Serializable {
    /**
     * The task of a row.
     *
     * @param value of the record, empty when it has none
     * @throws IllegalArgumentException when it is none; the message says why, for a person
     */
    Task task(byte[] value);
}
