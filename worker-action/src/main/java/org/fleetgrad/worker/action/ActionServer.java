package org.fleetgrad.worker.action;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The action container's HTTP server: {@code POST /init} once, then {@code POST /run} any number of times, one at a
 * time.
 */
final class ActionServer extends ActionEndpoint {

    private static final int LARGEST_BODY = 2 * 1024 * 1024;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int BAD_GATEWAY = 502;

    private final JsonMapper json = JsonMapper.builder().build();
    private final ActionEnvironment environment;
    private final Function<JsonNode, ActionResult> action;
    private final PrintStream err;
    private boolean isInitialized;

    /** A response. */
    private record Answer(int status, Map<String, ?> body) {
        static Answer error(int status, Object error) {
            return new Answer(status, Map.of("error", error));
        }
    }

    ActionServer(
            InetSocketAddress address,
            ActionEnvironment environment,
            Function<JsonNode, ActionResult> action,
            PrintStream out,
            PrintStream err)
            throws IOException {
        super(address, out, err);
        this.environment = environment;
        this.action = action;
        this.err = err;
    }

    @Override
    protected Arrived read(HttpExchange exchange) throws IOException {
        return switch (exchange.getRequestURI().getPath()) {
            case "/init" -> read(exchange, this::init, false);
            case "/run" -> read(exchange, this::run, true);
            default -> read(exchange, this::unknown, false);
        };
    }

    private Answer unknown(@Nullable JsonNode body) {
        return Answer.error(NOT_FOUND, "this action knows POST /init and POST /run only");
    }

    /** The action is in the image, so there is no code to load, and any first body is accepted. */
    private Answer init(@Nullable JsonNode body) {
        if (isInitialized) {
            String message = "Cannot initialize the action more than once.";
            err.println(message);
            err.flush();
            return Answer.error(FORBIDDEN, message);
        }
        isInitialized = true;
        if (body != null) {
            environment.initialize(body);
        }
        return new Answer(OK, Map.of("ok", true));
    }

    private Answer run(@Nullable JsonNode body) {
        if (body == null || !holdsArguments(body)) {
            return Answer.error(NOT_FOUND, "The action did not receive a dictionary as an argument.");
        }
        environment.begin(body);
        ActionResult result = action.apply(body);
        if (result instanceof ActionResult.ApplicationError error) {
            err.println(error.message());
        }
        return new Answer(OK, result.body());
    }

    /** As in OpenWhisk's own skeleton: no body, or no value, means no arguments; the action judges arrays. */
    private static boolean holdsArguments(JsonNode body) {
        if (body.isMissingNode() || body.isNull()) {
            return true;
        }
        JsonNode value = body.path("value");
        return body.isObject() && (value.isMissingNode() || value.isObject() || value.isArray());
    }

    private Arrived read(HttpExchange exchange, Function<@Nullable JsonNode, Answer> handler, boolean isRun)
            throws IOException {
        Supplier<Answer> answer = read(exchange, handler);
        return () -> {
            Answer given = answer.get();
            if (isRun) {
                endLog();
            }
            return new Response(given.status(), json.writeValueAsBytes(given.body()));
        };
    }

    private Supplier<Answer> read(HttpExchange exchange, Function<@Nullable JsonNode, Answer> handler)
            throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            return () -> Answer.error(METHOD_NOT_ALLOWED, "this action knows POST only");
        }
        byte[] bytes;
        try (InputStream in = exchange.getRequestBody()) {
            bytes = in.readNBytes(LARGEST_BODY + 1);
        }
        if (bytes.length > LARGEST_BODY) {
            return () -> Answer.error(TOO_LARGE, "the body has more than %d bytes".formatted(LARGEST_BODY));
        }
        return () -> answer(bytes, handler);
    }

    private Answer answer(byte[] bytes, Function<@Nullable JsonNode, Answer> handler) {
        try {
            return handler.apply(parse(bytes));
        } catch (RuntimeException | LinkageError bug) {
            bug.printStackTrace(err);
            return Answer.error(BAD_GATEWAY, "the action failed: " + bug);
        } catch (OutOfMemoryError full) {
            full.printStackTrace(err);
            return Answer.error(BAD_GATEWAY, "the action failed: " + ProcessMemory.explain(full));
        }
    }

    private @Nullable JsonNode parse(byte[] bytes) {
        try {
            return json.readTree(new String(bytes, StandardCharsets.UTF_8));
        } catch (JacksonException notJson) {
            return null;
        }
    }
}
