package dev.millrace.backends.exampletasks;

import java.util.Locale;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Kinds of defect. What repairs a task is written in its repository alone: which file, what is
 * wrong there and what the rest of the repository says it should be.
 */
enum Family {
    /** A function computes with another operator than its comment states. */
    OPERATOR {
        @Override
        Draft draw(SplittableRandom random) {
            return Drafts.operator(random);
        }
    },
    /** A comparison is not the one its comment states. */
    BOUNDARY {
        @Override
        Draft draw(SplittableRandom random) {
            return Drafts.boundary(random);
        }
    },
    /** A module is imported under another name than its file has. */
    MODULE {
        @Override
        Draft draw(SplittableRandom random) {
            return Drafts.module(random);
        }
    },
    /** A function uses a name that is not its parameter. */
    NAME {
        @Override
        Draft draw(SplittableRandom random) {
            return Drafts.name(random);
        }
    },
    /** A function returns another word than the documentation states. */
    SETTING {
        @Override
        Draft draw(SplittableRandom random) {
            return Drafts.setting(random);
        }
    };

    abstract Draft draw(SplittableRandom random);

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SortedMap<String, String> oneFile(String path, String content) {
        SortedMap<String, String> files = new TreeMap<>();
        files.put(path, content);
        return files;
    }
}
