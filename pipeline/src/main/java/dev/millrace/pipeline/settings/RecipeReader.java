package dev.millrace.pipeline.settings;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes recipes from text. */
public final class RecipeReader {
    static final SettingsSchema SCHEMA = new SettingsSchema(Recipe.class);

    private RecipeReader() {}

    /**
     * Reads a recipe.
     *
     * @param files YAML files; a value of a later one replaces that of an earlier one
     * @param overrides {@code section.key=value}, stronger than every file
     * @throws SettingsException with every problem of files and overrides
     */
    public static Recipe read(List<Path> files, List<String> overrides) throws SettingsException {
        Problems problems = new Problems();
        Layers layers = new Layers(SCHEMA, problems);
        for (Path file : files) {
            addFile(file, layers, problems);
        }
        problems.throwIfUnreadable();
        overrides.forEach(layers::addOverride);
        String first = files.isEmpty() ? "settings" : files.get(0).toString();
        return bind(layers, first, problems);
    }

    /** Reads a recipe from one text; {@code source} names it in problems. */
    static Recipe parse(String source, String text, List<String> overrides)
            throws SettingsException {
        Problems problems = new Problems();
        Layers layers = new Layers(SCHEMA, problems);
        layers.addYaml(source, text);
        problems.throwIfUnreadable();
        overrides.forEach(layers::addOverride);
        return bind(layers, source, problems);
    }

    private static void addFile(Path file, Layers layers, Problems problems) {
        Origin whole = new Origin(0, file.toString(), 0);
        try {
            layers.addYaml(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            problems.add(whole, "", "no such file; give the recipe with --recipe FILE");
        } catch (MalformedInputException e) {
            problems.add(whole, "", "is not UTF-8 text");
        } catch (IOException e) {
            problems.add(whole, "", "can't be read: " + e.getMessage());
        }
    }

    private static Recipe bind(Layers layers, String source, Problems problems)
            throws SettingsException {
        Map<String, Object> values = new HashMap<>();
        for (SettingKey key : SCHEMA.keys()) {
            values.put(key.path(), value(key, layers, source, problems));
        }
        Recipe recipe = (Recipe) SCHEMA.build(key -> values.get(key.path()));
        for (RecipeChecks.Conflict conflict : RecipeChecks.conflicts(recipe)) {
            if (conflict.keys().stream().noneMatch(problems::has)) {
                problems.add(
                        origin(conflict.keys(), layers, source),
                        conflict.key(),
                        conflict.message());
            }
        }
        problems.throwIfAny();
        return recipe;
    }

    private static Object value(SettingKey key, Layers layers, String source, Problems problems) {
        Layers.Written written = layers.get(key.path());
        if (written == null) {
            if (key.required() && !problems.has(key.path())) {
                Origin origin = new Origin(0, source, 0);
                problems.add(origin, key.path(), "is missing: " + key.setting().about());
            }
            return key.fallback();
        }
        Optional<Object> value = SettingType.parse(key.type(), written.text());
        if (value.isEmpty()) {
            problems.add(
                    written.origin(),
                    key.path(),
                    "is \""
                            + shown(written.text())
                            + "\", must be "
                            + SettingType.words(key.type()));
            return key.fallback();
        }
        Optional<String> refusal = key.refusal(value.get());
        if (refusal.isPresent()) {
            problems.add(written.origin(), key.path(), refusal.get());
            return key.fallback();
        }
        return value.get();
    }

    /** The place of the first of the keys that somebody wrote. */
    private static Origin origin(List<String> keys, Layers layers, String source) {
        return keys.stream()
                .map(layers::get)
                .filter(written -> written != null)
                .map(Layers.Written::origin)
                .findFirst()
                .orElse(new Origin(0, source, 0));
    }

    private static String shown(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
