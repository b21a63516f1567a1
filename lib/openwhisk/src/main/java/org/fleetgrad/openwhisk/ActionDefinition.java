package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/**
 * An action to store: a container image, which may be a runtime for code. Immutable.
 *
 * @param name        {@code NAME} or {@code PACKAGE/NAME}, in the namespace of the key
 * @param image       {@code prefix/name:tag}. Invokers pull it before each cold start. If the pull fails, they use a
 *     local copy, but never one with the tag {@code latest} or without a tag
 * @param code        code that the image runs; empty if the image is the complete action
 * @param limits      the limits of an activation
 * @param parameters  the parameters of each activation
 * @param annotations notes about the action
 */
public record ActionDefinition(
        String name,
        String image,
        Optional<ActionCode> code,
        ActionLimits limits,
        List<ActionParameter> parameters,
        Map<String, Object> annotations) {

    /** OpenWhisk's rule for each part of an action's name. */
    private static final Pattern PART = Pattern.compile("\\w|\\w[\\w@ .&-]{0,254}[\\w@.&-]");

    private static final String COMPONENT = "[a-z0-9]+(?:(?:[._]|-+)[a-z0-9]+)*";
    private static final Pattern IMAGE =
            Pattern.compile("(?<registry>(?:[A-Za-z0-9.-]*[.][A-Za-z0-9.-]*(?::[0-9]+)?|[A-Za-z0-9.-]+:[0-9]+)/)?"
                    + "(?<path>" + COMPONENT + "(?:/" + COMPONENT + ")*)"
                    + "(?::(?<tag>\\w[\\w.-]{0,127}))?(?:@[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,})?");

    public ActionDefinition {
        requireName(name);
        requireImage(image);
        parameters = List.copyOf(parameters);
        annotations = Map.copyOf(annotations);
    }

    /** Makes a definition with name, image and limits only. */
    public static ActionDefinition of(String name, String image, ActionLimits limits) {
        return new ActionDefinition(name, image, Optional.empty(), limits, List.of(), Map.of());
    }

    /** Returns this definition with code for its image to run. */
    public ActionDefinition with(ActionCode other) {
        return new ActionDefinition(name, image, Optional.of(other), limits, parameters, annotations);
    }

    /**
     * Checks the name of an action: {@code NAME} or {@code PACKAGE/NAME}.
     *
     * @throws IllegalArgumentException if OpenWhisk accepts no such name; the message has the name and the rule
     */
    public static void requireName(String name) {
        String[] unused = parts(name);
    }

    /** Returns the path of an action in a URL. */
    static String path(String name) {
        return Arrays.stream(parts(name))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }

    private static String[] parts(String name) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2
                || !Arrays.stream(parts).allMatch(part -> PART.matcher(part).matches())) {
            throw new IllegalArgumentException(
                    "an action's name must be NAME or PACKAGE/NAME, each of up to 256 letters, digits and _ @ . & -; it is '%s'"
                            .formatted(Printable.text(name)));
        }
        return parts;
    }

    /**
     * Checks the name of an image: {@code [registry/][prefix/]name[:tag][@digest]}, as OpenWhisk's {@code ExecManifest}
     * reads it. That is Docker's grammar with two exceptions: a controller refuses upper-case letters in a tag, and
     * accepts no {@code __} between two parts of a name.
     *
     * @throws IllegalArgumentException if a controller would refuse it; the message has the name, the rule and what to write
     */
    public static void requireImage(String image) {
        Matcher name = IMAGE.matcher(image);
        if (name.matches()) {
            String tag = name.group("tag");
            if (tag != null && !tag.equals(lower(tag))) {
                throw new IllegalArgumentException(
                        "OpenWhisk takes no upper-case letter in an image's tag; it is '%s' in '%s': tag the image as '%s'"
                                .formatted(tag, image, image.replace(":" + tag, ":" + lower(tag))));
            }
            return;
        }
        String smaller = lower(image);
        if (!smaller.equals(image) && IMAGE.matcher(smaller).matches()) {
            throw new IllegalArgumentException(
                    "OpenWhisk takes lower-case letters in an image's name; it is '%s': name the image '%s'"
                            .formatted(image, smaller));
        }
        throw new IllegalArgumentException(
                "an image must be like prefix/name:tag; it is '%s'".formatted(Printable.text(image)));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, String> exec = new LinkedHashMap<>();
        exec.put("kind", "blackbox");
        exec.put("image", image);
        code.ifPresent(jar -> {
            exec.put("code", jar.base64());
            exec.put("main", jar.main());
        });
        json.put("exec", exec);
        json.put("parameters", parameters.stream().map(ActionParameter::json).toList());
        json.put(
                "limits",
                Map.of(
                        "timeout", limits.timeout().toMillis(),
                        "memory", limits.memoryMib(),
                        "logs", limits.logsMib()));
        json.put(
                "annotations",
                annotations.entrySet().stream()
                        .map(entry -> Map.of("key", entry.getKey(), "value", entry.getValue()))
                        .toList());
        return json;
    }

    /**
     * The limits of an activation. The controller checks OpenWhisk's own bounds, which its operator sets.
     *
     * @param timeout   longest time of a run, and of an initialization; whole milliseconds
     * @param memoryMib memory of its container, MiB
     * @param logsMib   longest log, MiB
     */
    public record ActionLimits(Duration timeout, int memoryMib, int logsMib) {

        /** OpenWhisk's defaults. */
        public static final ActionLimits DEFAULT = new ActionLimits(Duration.ofSeconds(60), 256, 10);

        /** Checks that a controller can read each limit. */
        public ActionLimits {
            if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE || memoryMib < 1 || logsMib < 0) {
                throw new IllegalArgumentException(
                        "an action must have a time limit of 1 ms or more, memory of 1 MiB or more and logs of 0 MiB or more; it has %s, %d MiB and %d MiB"
                                .formatted(timeout, memoryMib, logsMib));
            }
        }
    }

    /**
     * A parameter that is stored with an action. Its value may be a key, and is never printed.
     *
     * @param key    its name
     * @param value  any value that becomes JSON
     * @param isInit true for an environment variable of the container, false for a member of each run's {@code value}
     */
    public record ActionParameter(String key, Object value, boolean isInit) {

        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("key", key);
            json.put("value", value);
            if (isInit) {
                json.put("init", true);
            }
            return json;
        }

        @Override
        public String toString() {
            return "ActionParameter[%s%s]".formatted(key, isInit ? ", init" : "");
        }
    }

    /** The code that a runtime image runs, such as a jar for a Java runtime; {@code main} is its entry point. */
    public record ActionCode(String base64, String main) {

        /** Limit of the encoded text, which is a third longer than the file (core/entity/Exec.scala, sizeLimit). */
        private static final long LONGEST_TEXT = 48L << 20;

        /**
         * Reads a file.
         *
         * @param main entry point in it, such as a class with {@code JsonObject main(JsonObject)}
         * @throws IllegalArgumentException if OpenWhisk accepts no file of this size
         */
        public static ActionCode read(Path file, String main) throws IOException {
            long text = (Files.size(file) + 2) / 3 * 4;
            if (text > LONGEST_TEXT) {
                throw new IllegalArgumentException("%s has %d bytes, which are %d in base64; OpenWhisk takes %d"
                        .formatted(file, Files.size(file), text, LONGEST_TEXT));
            }
            return new ActionCode(Base64.getEncoder().encodeToString(Files.readAllBytes(file)), main);
        }
    }
}
