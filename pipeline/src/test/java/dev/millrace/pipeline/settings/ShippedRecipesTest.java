package dev.millrace.pipeline.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShippedRecipesTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void everyRecipeReads() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("recipes"))) {
            List<Path> recipes = files.filter(f -> f.toString().endsWith(".yaml")).toList();
            assertThat(recipes).isNotEmpty();
            for (Path recipe : recipes) {
                assertThatCode(() -> RecipeReader.read(layers(recipe), List.of()))
                        .as(recipe.toString())
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void theReferencePageIsWhatTheCodeSays() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/config.md")))
                .as("renew it: bin/millrace settings > docs/config.md")
                .isEqualTo(SettingsReference.markdown());
    }

    /** A smoke recipe is laid over the one it shortens. */
    private static List<Path> layers(Path recipe) {
        String name = recipe.getFileName().toString();
        return name.endsWith("-smoke.yaml")
                ? List.of(recipe.resolveSibling(name.replace("-smoke.yaml", ".yaml")), recipe)
                : List.of(recipe);
    }
}
