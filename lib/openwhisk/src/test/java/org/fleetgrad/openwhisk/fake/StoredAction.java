package org.fleetgrad.openwhisk.fake;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A stored action, as in the controller; its version also serves as its revision. */
record StoredAction(String name, String version, ObjectNode document) {

    private static final int DEFAULT_TIMEOUT_MILLIS = 60_000;
    private static final int SHORTEST_TIMEOUT_MILLIS = 100;
    private static final int DEFAULT_MEMORY = 256;
    private static final int LEAST_MEMORY = 128;
    private static final int LARGEST_LOGS = 10;
    private static final int BAD_REQUEST = 400;
    private static final String MALFORMED = "The request content was malformed:\n";

    /**
     * An image's name as OpenWhisk reads it (core/entity/ExecManifest.scala, ImageName): Docker's grammar, but without
     * upper-case letters in the tag, and with one separator of one kind between two parts. The source intends to accept
     * upper-case letters; a controller 2.0.0 refuses them.
     */
    private static final Pattern IMAGE =
            Pattern.compile("(?:[A-Za-z0-9.-]+(?::[0-9]+)?/)?" + "[a-z0-9]+(?:(?:[._/]|-+)[a-z0-9]+)*"
                    + "(?::[a-z0-9_][a-z0-9_.-]{0,127})?" + "(?:@[a-z0-9+._-]+:[0-9a-f]{32,})?");

    /** Reads a definition, with defaults for missing values; refuses values out of bounds. */
    static StoredAction of(String name, int revision, JsonNode sent, FakeSettings settings) throws Refusal {
        JsonNode exec = sent.path("exec");
        if (!exec.path("kind").stringValue("").equals("blackbox")
                || exec.path("image").stringValue("").isEmpty()) {
            throw new Refusal(BAD_REQUEST, MALFORMED + "this controller stores blackbox images only");
        }
        if (!IMAGE.matcher(exec.path("image").stringValue()).matches()) {
            throw new Refusal(BAD_REQUEST, MALFORMED + "could not parse image name");
        }
        ObjectNode limits = JsonNodeFactory.instance.objectNode();
        limits.put(
                "timeout",
                bounded(
                        sent,
                        "timeout",
                        DEFAULT_TIMEOUT_MILLIS,
                        SHORTEST_TIMEOUT_MILLIS,
                        settings.longestTimeLimit().toMillis()));
        limits.put("memory", bounded(sent, "memory", DEFAULT_MEMORY, LEAST_MEMORY, settings.largestMemoryMib()));
        limits.put("logs", bounded(sent, "logs", LARGEST_LOGS, 0, LARGEST_LOGS));
        limits.put("concurrency", bounded(sent, "concurrency", 1, 1, 1));
        String version = "0.0." + revision;
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("namespace", FakeOpenWhisk.NAMESPACE);
        document.put("name", name);
        document.put("version", version);
        document.put("publish", false);
        document.put("updated", System.currentTimeMillis());
        document.set("exec", ((ObjectNode) exec.deepCopy()).put("binary", exec.has("code")));
        document.set("limits", limits);
        document.set("parameters", list(sent.path("parameters")));
        ArrayNode annotations = list(sent.path("annotations"));
        annotations.addObject().put("key", "provide-api-key").put("value", false);
        annotations.addObject().put("key", "exec").put("value", "blackbox");
        document.set("annotations", annotations);
        return new StoredAction(name, version, document);
    }

    private static long bounded(JsonNode sent, String limit, long otherwise, long least, long most) throws Refusal {
        JsonNode value = sent.path("limits").path(limit);
        long stated = value.isMissingNode() ? otherwise : value.longValue(-1);
        if (stated < least || stated > most) {
            throw new Refusal(
                    BAD_REQUEST,
                    MALFORMED
                            + "requirement failed: %s %d is not between the allowed %d and %d"
                                    .formatted(limit, stated, least, most));
        }
        return stated;
    }

    private static ArrayNode list(JsonNode sent) throws Refusal {
        if (sent.isMissingNode()) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!sent.isArray()) {
            throw new Refusal(BAD_REQUEST, MALFORMED + "parameters and annotations are lists");
        }
        return (ArrayNode) sent.deepCopy();
    }

    /** Returns the code that an image gets by {@code /init}, in base64; empty if the image is the complete action. */
    Optional<String> code() {
        return document.path("exec").path("code").asStringOpt();
    }

    /** Returns what the image calls in its code. */
    String main() {
        return document.path("exec").path("main").asString("main");
    }

    String image() {
        return document.path("exec").path("image").stringValue();
    }

    Duration timeLimit() {
        return Duration.ofMillis(document.path("limits").path("timeout").longValue());
    }

    int memoryMib() {
        return document.path("limits").path("memory").intValue();
    }

    /** Returns the stored parameters that go into the environment, or those that go into each run. */
    ObjectNode parameters(boolean isInit) {
        ObjectNode parameters = JsonNodeFactory.instance.objectNode();
        for (JsonNode parameter : document.path("parameters")) {
            if (parameter.path("init").booleanValue(false) == isInit) {
                parameters.set(parameter.path("key").stringValue(), parameter.path("value"));
            }
        }
        return parameters;
    }
}
