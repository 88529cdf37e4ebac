package dev.millrace.pipeline.settings;

/** The reference page of all settings, made from their descriptions. */
public final class SettingsReference {
    private SettingsReference() {}

    /** The page {@code docs/config.md}. */
    public static String markdown() {
        StringBuilder page = new StringBuilder();
        page.append(
                """
                # Settings

                A recipe is one YAML file. `bin/millrace settings > docs/config.md` writes this page
                from the code; a test fails when it is old. Times are written with their unit:
                `500ms`, `2s`, `10m`, `1h`, `7d`. Every key can be set on the command line with
                `--set section.key=value`, which is stronger than the file. Unknown keys, wrong types
                and values out of range are refused, all together, before anything starts.
                """);
        String section = "";
        for (SettingKey key : RecipeReader.SCHEMA.keys()) {
            String own = key.path().substring(0, key.path().lastIndexOf('.'));
            if (!own.equals(section)) {
                section = own;
                page.append("\n## ").append(section).append("\n\n");
                page.append("| key | default | allowed | meaning |\n|---|---|---|---|\n");
            }
            page.append(row(key));
        }
        return page.toString();
    }

    private static String row(SettingKey key) {
        String name = key.path().substring(key.path().lastIndexOf('.') + 1);
        return String.format(
                "| `%s` | %s | %s | %s |%n",
                name, byDefault(key), escaped(allowed(key)), escaped(key.setting().about()));
    }

    private static String byDefault(SettingKey key) {
        if (key.required()) {
            return "required";
        }
        return key.setting().byDefault().isEmpty()
                ? "empty"
                : "`" + key.setting().byDefault() + "`";
    }

    private static String allowed(SettingKey key) {
        String range = key.rangeWords();
        return range.isEmpty() ? SettingType.words(key.type()) : range;
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|");
    }
}
