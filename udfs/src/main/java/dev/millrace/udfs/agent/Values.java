package dev.millrace.udfs.agent;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What can be done with values of templates. Each fails on a value that is missing. */
final class Values {
    private Values() {}

    /** Stands for a variable that nobody has set. */
    record Missing(String name) {}

    /** Something can't be done with a value. */
    static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnfitException(String why) {
            super(why);
        }
    }

    static Object there(Object value) {
        if (value instanceof Missing missing) {
            throw new UnfitException("there is no value '" + missing.name() + "'");
        }
        return value instanceof Integer number ? Long.valueOf(number) : value;
    }

    /** As it is written into the text. */
    static String text(Object value) {
        Object there = there(value);
        if (there == null) {
            return "None";
        }
        if (there instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        if (there instanceof String || there instanceof Long) {
            return there.toString();
        }
        throw new UnfitException("only texts, numbers and truth values can be written");
    }

    /** Empty texts, lists and maps, 0 and None don't hold. */
    static boolean holds(Object value) {
        Object there = there(value);
        if (there instanceof Boolean truth) {
            return truth;
        }
        if (there instanceof Long number) {
            return number != 0;
        }
        return there != null && length(there) != 0;
    }

    static long length(Object value) {
        Object there = there(value);
        if (there instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (there instanceof List<?> list) {
            return list.size();
        }
        if (there instanceof Map<?, ?> map) {
            return map.size();
        }
        throw new UnfitException("only texts, lists and maps have a length");
    }

    static Object part(Object value, String name) {
        if (!(there(value) instanceof Map<?, ?> map)) {
            throw new UnfitException("only maps have a part '" + name + "'");
        }
        return map.containsKey(name) ? map.get(name) : new Missing(name);
    }

    /**
     * The items from one place up to another, as far as they exist; negative places count from the
     * end.
     *
     * @param from null for the beginning
     * @param to null for the end
     */
    static Object slice(Object value, Object from, Object to) {
        long length = length(value);
        int begin = place(from, 0, length);
        int end = Math.max(begin, place(to, length, length));
        if (there(value) instanceof List<?> list) {
            return list.subList(begin, end);
        }
        if (!(there(value) instanceof String text)) {
            throw new UnfitException("only texts and lists can be sliced");
        }
        int first = text.offsetByCodePoints(0, begin);
        return text.substring(first, text.offsetByCodePoints(first, end - begin));
    }

    private static int place(Object given, long otherwise, long length) {
        long place = given == null ? otherwise : number(given);
        return (int) Math.min(length, Math.max(0, place < 0 ? place + length : place));
    }

    static long number(Object value) {
        if (there(value) instanceof Long number) {
            return number;
        }
        throw new UnfitException("expected a number");
    }

    static Object sum(Object left, Object right) {
        if (there(left) instanceof String text && there(right) instanceof String more) {
            return text + more;
        }
        return number(left) + number(right);
    }

    static String trimmed(Object value) {
        if (there(value) instanceof String text) {
            return Blanks.trim(text);
        }
        throw new UnfitException("only texts can be trimmed");
    }

    static boolean compare(String operator, Object left, Object right) {
        Object one = there(left);
        Object other = there(right);
        return switch (operator) {
            case "==" -> Objects.equals(one, other);
            case "!=" -> !Objects.equals(one, other);
            case "<" -> order(one, other) < 0;
            case "<=" -> order(one, other) <= 0;
            case ">" -> order(one, other) > 0;
            default -> order(one, other) >= 0;
        };
    }

    static boolean contains(Object value, Object item) {
        Object sought = there(item);
        if (there(value) instanceof List<?> list) {
            return list.stream().anyMatch(each -> Objects.equals(there(each), sought));
        }
        if (there(value) instanceof String text && sought instanceof String part) {
            return text.contains(part);
        }
        throw new UnfitException("only lists and texts have something in them");
    }

    private static int order(Object one, Object other) {
        return one instanceof String text && other instanceof String more
                ? text.compareTo(more)
                : Long.compare(number(one), number(other));
    }
}
