package dev.millrace.udfs.step;

import dev.millrace.udfs.model.StepEvent;
import java.util.List;

/**
 * An item as a machine sees it.
 *
 * @param input what was admitted
 * @param events what happened since, in the order of the journal, without the admission
 * @param <I> type of the input
 */
public record StepView<I>(I input, List<StepEvent> events) {}
