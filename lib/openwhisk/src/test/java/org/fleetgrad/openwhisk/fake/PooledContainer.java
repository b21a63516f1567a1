package org.fleetgrad.openwhisk.fake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.fleetgrad.openwhisk.fake.ContainerHost.Container;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One container for one version of one action. It runs one activation at a time. */
final class PooledContainer {

    private static final String SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";
    private static final Duration STEP = Duration.ofMillis(50);

    private final String name;
    private final StoredAction action;
    private @Nullable Container container;
    private boolean isPaused;
    private boolean isKilled;

    PooledContainer(String name, StoredAction action) {
        this.name = name;
        this.action = action;
    }

    boolean serves(StoredAction other) {
        return action.name().equals(other.name()) && action.version().equals(other.version());
    }

    int memoryMib() {
        return action.memoryMib();
    }

    synchronized boolean isStarted() {
        return container != null;
    }

    /**
     * Starts the container and returns the outcome of {@code /init}; repeats the request until the container listens.
     */
    ContainerReply start(ContainerHost host, String apiHost, RunningActivation activation)
            throws IOException, InterruptedException {
        Container started = host.start(name, action.image(), action.memoryMib(), Map.of("__OW_API_HOST", apiHost));
        synchronized (this) {
            container = started;
            // The invoker was closed while this container started.
            if (isKilled) {
                started.kill();
                return new ContainerReply.Broken();
            }
        }
        ContainerConnection connection = new ContainerConnection(started.address());
        byte[] body = bytes(initBody(activation));
        long deadline = System.nanoTime() + action.timeLimit().toNanos();
        while (true) {
            Duration left = Duration.ofNanos(deadline - System.nanoTime());
            if (left.isNegative() || left.isZero()) {
                return new ContainerReply.Late();
            }
            ContainerReply reply = connection.post("/init", body, left);
            if (!(reply instanceof ContainerReply.Absent)) {
                return reply;
            }
            Thread.sleep(STEP.toMillis());
        }
    }

    ContainerReply run(RunningActivation activation) {
        return new ContainerConnection(started().address())
                .post("/run", bytes(runBody(activation)), action.timeLimit());
    }

    private ObjectNode initBody(RunningActivation activation) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode value = body.putObject("value");
        value.put("name", action.name())
                .put("binary", action.code().isPresent())
                .put("main", action.main());
        action.code().ifPresent(code -> value.put("code", code));
        ObjectNode environment = value.putObject("env");
        for (Map.Entry<String, JsonNode> parameter : action.parameters(true).properties()) {
            JsonNode given = parameter.getValue();
            environment.put(parameter.getKey(), given.isString() ? given.stringValue() : given.toString());
        }
        context(activation)
                .properties()
                .forEach(entry -> environment.set("__OW_" + upper(entry.getKey()), entry.getValue()));
        return body;
    }

    private ObjectNode runBody(RunningActivation activation) {
        ObjectNode value = action.parameters(false);
        value.setAll(activation.value());
        ObjectNode body = context(activation);
        body.set("value", value);
        return body;
    }

    /** Init and run each have the full time limit, so each has its own deadline. */
    private ObjectNode context(RunningActivation activation) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("action_name", "/" + FakeOpenWhisk.NAMESPACE + "/" + action.name())
                .put("action_version", action.version())
                .put("activation_id", activation.id())
                .put(
                        "deadline",
                        Long.toString(Instant.now().plus(action.timeLimit()).toEpochMilli()))
                .put("namespace", FakeOpenWhisk.NAMESPACE)
                .put("transaction_id", "t" + activation.id());
    }

    private static String upper(String key) {
        return key.toUpperCase(Locale.ROOT);
    }

    private static byte[] bytes(ObjectNode body) {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private synchronized Container started() {
        if (container == null) {
            throw new IllegalStateException(name + " is not started");
        }
        return container;
    }

    /** Freezes the container if it is still idle. */
    synchronized void pauseIf(BooleanSupplier isIdle) {
        if (container != null && !isPaused && isIdle.getAsBoolean()) {
            container.pause();
            isPaused = true;
        }
    }

    synchronized void resume() {
        if (container != null && isPaused) {
            container.resume();
            isPaused = false;
        }
    }

    synchronized void kill() {
        isKilled = true;
        if (container != null) {
            container.kill();
        }
    }

    /** Returns and removes the lines of an activation, in the form of a record. */
    List<String> takeLogs() {
        return started().takeLogs().stream()
                .filter(line -> !line.contains(SENTINEL))
                .map(line -> Instant.now() + " " + line)
                .toList();
    }
}
