package dev.millrace.backends.harbor;

import dev.millrace.backends.image.ImageConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a task's environment is made on, and who runs commands there. */
final class BaseImages {
    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,9})(:[0-9]{1,9})?");
    private static final Pattern ROOT = Pattern.compile("(root|0{1,9})(:.*)?");

    private final Path file;
    private final ImageMapping images;
    private final List<HarborProblem> problems;
    private final List<String> notes;

    BaseImages(Path file, ImageMapping images, List<HarborProblem> problems, List<String> notes) {
        this.file = file;
        this.images = images;
        this.problems = problems;
        this.notes = notes;
    }

    /** Whether tasks name them for the provider. */
    boolean areAsNamed() {
        return images.isAsNamed();
    }

    /** Whether a task's prebuilt image takes the place of its Dockerfile. */
    boolean takesOver(String image, boolean dockerfile) {
        boolean unnamed = image.isEmpty() && images.isAsNamed();
        boolean only = !images.isEmpty() && !dockerfile && !unnamed;
        if (images.isPrebuilt(image) || only) {
            return true;
        }
        if (unnamed && !dockerfile) {
            notes.add("no image is named, the usual one is used");
        } else if (!image.isEmpty()) {
            String other =
                    images.isEmpty() ? "this host's tool chain" : "what the Dockerfile makes";
            notes.add("image '" + image + "' is replaced by " + other);
        }
        return false;
    }

    /** A stage on what FROM names. */
    DockerfileStage from(int line, String name, String arguments) {
        if (images.isEmpty()) {
            notes.add("FROM " + arguments + " is replaced by this host's tool chain");
            return new DockerfileStage("", ImageConfig.NONE);
        }
        if (!images.isAsNamed()) {
            images.find(name).ifPresent(place -> notes.add("FROM " + name + " is " + place));
        }
        return begin("line " + line, name);
    }

    /** A stage on the image that stands for a name. */
    DockerfileStage begin(String where, String name) {
        Optional<String> reference = images.find(name);
        if (reference.isEmpty() && images.isAsNamed()) {
            refuse(
                    where,
                    "'" + name + "' is no image that can be got",
                    "write it as NAME:TAG, with the registry in front where it needs one");
        } else if (reference.isEmpty()) {
            refuse(
                    where,
                    "no image on this host stands for '" + name + "'",
                    "name one in sandbox.images, as " + name + "=/path");
        } else {
            try {
                return new DockerfileStage(reference.get(), images.config(reference.get()));
            } catch (IOException e) {
                refuse(
                        where,
                        "what stands for '" + name + "' is unusable: " + e.getMessage(),
                        "correct sandbox.images");
            }
        }
        return new DockerfileStage("", ImageConfig.NONE);
    }

    /**
     * Who runs commands, as the provider knows it. One that only knows an image by its name doesn't
     * know the names of users in it, and its own user stands for root.
     */
    String user(String named) {
        if (named.isEmpty() || !images.isAsNamed()) {
            return named;
        }
        if (ROOT.matcher(named).matches()) {
            notes.add("USER " + named + " is replaced by the provider's own user");
            return "";
        }
        Matcher number = NUMBER.matcher(named);
        if (!number.matches()) {
            refuse(
                    "USER",
                    "'" + named + "' is a name, which only the image knows",
                    "name the user by number");
            return "";
        }
        notes.add("USER " + named + " counts for the agent, the tests and RUN");
        return number.group(1);
    }

    private void refuse(String where, String message, String remedy) {
        problems.add(new HarborProblem(file.toString(), where, message, remedy));
    }
}
