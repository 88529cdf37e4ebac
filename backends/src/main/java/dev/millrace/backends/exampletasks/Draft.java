package dev.millrace.backends.exampletasks;

import java.util.SortedMap;

/** A task that belongs to no data set yet. */
record Draft(SortedMap<String, String> repository, String repair, String check) {}
