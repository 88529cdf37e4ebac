package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.CatalogueStart;

/**
 * The training groups that play one catalogue.
 *
 * @param start what was said of it
 * @param firstIndex index of its first group; the groups up to the next span's are its own
 * @param firstTask position of its first task among all training tasks
 */
record CatalogueSpan(CatalogueStart start, long firstIndex, int firstTask) {}
