package org.fleetgrad.openwhisk.fake;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Containers in this process whose responses a test scripts. Records what happens to them, in order. */
public final class ScriptedAction implements ContainerHost, AutoCloseable {

    /** A response of a container. */
    public record Answer(int status, String body, boolean isChunked) {

        /** Answers 200 with an object. */
        public static Answer ok(String body) {
            return new Answer(200, body, false);
        }

        /** Closes the connection without a response, like a killed container. */
        public static Answer silence() {
            return new Answer(0, "", false);
        }
    }

    /** An event of a container, such as {@code start}, {@code /init}, {@code pause}. */
    public record Event(String container, String what, JsonNode body) {}

    static {
        FakeOpenWhisk.noDelay();
    }

    private final BiFunction<String, JsonNode, Answer> script;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final List<Scripted> containers = new CopyOnWriteArrayList<>();

    /** @param script answers a path and its body; called from a separate thread for each container */
    public ScriptedAction(BiFunction<String, JsonNode, Answer> script) {
        this.script = script;
    }

    /** Returns an action that answers each run with the result of {@code run} for its complete body. */
    public static ScriptedAction running(Function<JsonNode, Answer> run) {
        return new ScriptedAction((path, body) -> path.equals("/init") ? Answer.ok("{\"ok\":true}") : run.apply(body));
    }

    @Override
    public Container start(String name, String image, int memoryMib, Map<String, String> environment)
            throws IOException {
        remember(name, "start", JsonMapper.shared().valueToTree(environment));
        Scripted container = new Scripted(name);
        containers.add(container);
        return container;
    }

    private synchronized void remember(String container, String what, JsonNode body) {
        events.add(new Event(container, what, body));
        notifyAll();
    }

    /** Returns the events so far. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /** Returns the names of the events so far. */
    public List<String> names() {
        return events.stream().map(Event::what).toList();
    }

    /** Returns the bodies of all requests for a path. */
    public List<JsonNode> bodies(String path) {
        return events.stream()
                .filter(event -> event.what().equals(path))
                .map(Event::body)
                .toList();
    }

    /** Waits until the event has occurred {@code times} times; the test's own time limit bounds the wait. */
    public synchronized void await(String what, int times) throws InterruptedException {
        while (names().stream().filter(what::equals).count() < times) {
            wait();
        }
    }

    @Override
    public void close() {
        containers.forEach(Scripted::stop);
    }

    /** One container. */
    private final class Scripted implements Container {

        private final String name;
        private final HttpServer server;
        private final ExecutorService thread = Executors.newSingleThreadExecutor(FakeOpenWhisk::daemon);
        private final List<String> logs = new ArrayList<>();

        Scripted(String name) throws IOException {
            this.name = name;
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(thread);
            server.createContext("/", this::handle);
            server.start();
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                JsonNode body =
                        JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
                remember(name, path, body);
                Answer answer = script.apply(path, body);
                synchronized (logs) {
                    logs.add("stdout: answers " + path);
                    logs.add("stdout: XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX");
                    logs.add("stderr: XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX");
                }
                if (answer.status() == 0) {
                    return;
                }
                byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(
                        answer.status(), answer.isChunked() ? 0 : bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }

        @Override
        public URI address() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        }

        @Override
        public void pause() {
            remember(name, "pause", JsonMapper.shared().createObjectNode());
        }

        @Override
        public void resume() {
            remember(name, "resume", JsonMapper.shared().createObjectNode());
        }

        @Override
        public void kill() {
            remember(name, "kill", JsonMapper.shared().createObjectNode());
            stop();
        }

        @Override
        public List<String> takeLogs() {
            synchronized (logs) {
                List<String> taken = List.copyOf(logs);
                logs.clear();
                return taken;
            }
        }

        void stop() {
            thread.shutdownNow();
            server.stop(0);
        }
    }
}
