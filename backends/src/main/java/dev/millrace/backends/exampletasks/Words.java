package dev.millrace.backends.exampletasks;

import java.util.List;
import java.util.SplittableRandom;

/** The words that repositories are made of. */
final class Words {
    static final List<String> MODULES =
            List.of(
                    "core", "util", "shop", "tax", "bank", "game", "stock", "order", "cart", "unit",
                    "loan", "post", "menu", "team", "road", "farm");
    static final List<String> ENTRIES = List.of("app", "main", "run", "cli");
    static final List<String> NAMES =
            List.of(
                    "value", "total", "price", "count", "limit", "width", "height", "amount",
                    "rate", "score", "size", "weight", "length", "speed", "depth", "cost");
    static final List<String> COMBINERS = List.of("combine", "merge", "join", "mix");
    static final List<String> FUNCTIONS = List.of("check", "valid", "accept", "allowed");
    static final List<String> MEASURES = List.of("area", "scale", "double", "convert");
    static final List<String> TOPICS = List.of("color", "mode", "level", "state", "style", "kind");
    static final List<String> SETTINGS =
            List.of(
                    "red", "blue", "green", "black", "white", "brown", "fast", "slow", "high",
                    "low", "open", "closed", "plain", "bold", "small", "large");
    static final List<String> LETTERS = List.of("a", "b", "x", "y", "n", "k");

    private Words() {}

    static String pick(List<String> words, SplittableRandom random) {
        return words.get(random.nextInt(words.size()));
    }

    static String pickOther(List<String> words, String taken, SplittableRandom random) {
        String word;
        do {
            word = pick(words, random);
        } while (word.equals(taken));
        return word;
    }
}
