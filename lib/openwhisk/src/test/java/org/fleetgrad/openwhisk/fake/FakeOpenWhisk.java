package org.fleetgrad.openwhisk.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.fleetgrad.openwhisk.fake.FakeController.Reply;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An OpenWhisk in this process. The controller sends the observed responses of a real one on the routes that a driver
 * uses; the invoker runs actions in the containers that the test supplies.
 */
public final class FakeOpenWhisk implements AutoCloseable {

    static final String NAMESPACE = "guest";

    private static final String ROOT = "/api/v1/namespaces";
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int INTERNAL_ERROR = 500;
    private static final int LARGEST_BODY = 64 * 1024 * 1024;

    static {
        noDelay();
    }

    private final FakeSettings settings;
    private final HttpServer server;
    private final FakeInvoker invoker;
    private final FakeController controller;
    private final FakeTriggers triggers;
    private final ExecutorService threads = Executors.newCachedThreadPool(FakeOpenWhisk::daemon);
    private final String header;

    /** Starts a fake on a free port of the loopback interface. */
    public FakeOpenWhisk(FakeSettings settings, ContainerHost host) throws IOException {
        this(settings, host, InetAddress.getLoopbackAddress());
    }

    /** Starts a fake on a free port of an address of this machine. */
    public FakeOpenWhisk(FakeSettings settings, ContainerHost host, InetAddress address) throws IOException {
        this.settings = settings;
        this.server = HttpServer.create(new InetSocketAddress(address, 0), 0);
        this.invoker = new FakeInvoker(settings, host, uri().toString());
        this.controller = new FakeController(settings, invoker);
        this.triggers = new FakeTriggers(controller);
        this.header =
                "Basic " + Base64.getEncoder().encodeToString(settings.auth().getBytes(StandardCharsets.US_ASCII));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /**
     * The JDK's server sends head and body in separate packets; without this setting each response waits 40 ms for an
     * acknowledgement.
     */
    static void noDelay() {
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "fake-openwhisk");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns its address: {@code http://127.0.0.1:40000}. */
    public URI uri() {
        return URI.create("http://%s:%d"
                .formatted(
                        server.getAddress().getAddress().getHostAddress(),
                        server.getAddress().getPort()));
    }

    /** Returns the environment variables that a client needs. */
    public Map<String, String> environment() {
        return Map.of("OPENWHISK_APIHOST", uri().toString(), "OPENWHISK_AUTH", settings.auth());
    }

    /** Makes the next invocation without a fault fail in this way. */
    public void atNextInvocation(Fault fault) {
        controller.atNextInvocation(fault);
    }

    /** From now on the actions of a trigger's rules cannot be invoked, as in a standalone that listens on one address only. */
    public void deafenToItself() {
        triggers.deafen();
    }

    /** Returns how many activations were accepted and have not ended. */
    public int underWay() {
        return controller.underWay();
    }

    /** Returns the records of all ended activations. */
    public List<ObjectNode> records() {
        return controller.records();
    }

    /** Returns a stored action, as {@code GET} shows it. */
    public JsonNode action(String name) {
        return controller.stored(name);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply;
            try {
                reply = route(exchange);
            } catch (Refusal refused) {
                reply = error(refused.status(), String.valueOf(refused.getMessage()));
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException bug) {
                reply = error(INTERNAL_ERROR, "There was an internal server error: " + bug);
            }
            if (!reply.isLost()) {
                answer(exchange, reply);
            }
        }
    }

    private static Reply error(int status, String message) {
        return Reply.of(
                status,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("code", "tid_of_a_fake")
                        .put("error", message));
    }

    private static void answer(HttpExchange exchange, Reply reply) throws IOException {
        byte[] body = reply.body().toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        reply.activationId().ifPresent(id -> exchange.getResponseHeaders().set("x-openwhisk-activation-id", id));
        if (reply.status() == NO_CONTENT || exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(reply.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(reply.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    private Reply route(HttpExchange exchange) throws IOException, Refusal, InterruptedException {
        byte[] body = body(exchange);
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!header.equals(authorization)) {
            throw new Refusal(
                    UNAUTHORIZED,
                    authorization == null
                            ? "The resource requires authentication, which was not supplied with the request"
                            : "The supplied authentication is invalid");
        }
        String path = exchange.getRequestURI().getRawPath();
        String method = exchange.getRequestMethod();
        if (path.equals(ROOT) && method.equals("GET")) {
            return Reply.of(OK, JsonNodeFactory.instance.arrayNode().add(NAMESPACE));
        }
        String[] parts =
                path.startsWith(ROOT + "/") ? path.substring(ROOT.length() + 1).split("/") : new String[0];
        if (parts.length < 2) {
            throw new Refusal(NOT_FOUND, "The requested resource does not exist.");
        }
        if (!parts[0].equals("_") && !parts[0].equals(NAMESPACE)) {
            throw new Refusal(FORBIDDEN, "The supplied authentication is not authorized to access this resource.");
        }
        String rest = Arrays.stream(parts).skip(2).map(Requests::decoded).collect(Collectors.joining("/"));
        return switch (parts[1]) {
            case "actions" -> action(method, rest, body, Requests.query(exchange));
            case "activations" -> activation(method, rest);
            case "triggers" -> triggers.trigger(method, rest, body, isOverwriting(exchange));
            case "rules" -> triggers.rule(method, rest, body, isOverwriting(exchange));
            case "limits" -> method.equals("GET") ? controller.limits() : notAllowed();
            default -> throw new Refusal(NOT_FOUND, "The requested resource does not exist.");
        };
    }

    private static boolean isOverwriting(HttpExchange exchange) {
        return "true".equals(Requests.query(exchange).get("overwrite"));
    }

    private Reply action(String method, String name, byte[] body, Map<String, String> query)
            throws Refusal, InterruptedException {
        return switch (method) {
            case "PUT" -> controller.putAction(name, body, "true".equals(query.get("overwrite")));
            case "GET" -> controller.getAction(name);
            case "DELETE" -> controller.deleteAction(name);
            case "POST" -> controller.invoke(name, body, query);
            default -> notAllowed();
        };
    }

    private Reply activation(String method, String rest) throws Refusal {
        if (!method.equals("GET")) {
            return notAllowed();
        }
        Optional<Reply> fired = triggers.record(rest);
        if (fired.isPresent()) {
            return fired.get();
        }
        int slash = rest.indexOf('/');
        return slash < 0
                ? controller.activation(rest, "")
                : controller.activation(rest.substring(0, slash), rest.substring(slash + 1));
    }

    private static Reply notAllowed() throws Refusal {
        throw new Refusal(METHOD_NOT_ALLOWED, "HTTP method not allowed");
    }

    private static byte[] body(HttpExchange exchange) throws IOException, Refusal {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(LARGEST_BODY);
            if (in.read() >= 0) {
                throw new Refusal(
                        TOO_LARGE, "Request larger than allowed: more than %d bytes.".formatted(LARGEST_BODY));
            }
            return body;
        }
    }

    /** Kills all containers and stops. */
    @Override
    public void close() {
        invoker.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
