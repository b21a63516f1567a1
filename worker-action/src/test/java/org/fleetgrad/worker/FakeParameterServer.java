package org.fleetgrad.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.PushReply;
import org.fleetgrad.protocol.messages.PutParameterReply;
import org.fleetgrad.protocol.messages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.UnregisterWorkerReply;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contract of the parameter server in its plainest form: one step of plain SGD a push. It remembers what it was sent,
 * and goes wrong where a test tells it to.
 */
public final class FakeParameterServer implements AutoCloseable {

    /** What a push meets instead of being applied. */
    public interface Mishap {

        /** Answers the push, or does not. */
        void meet(FakeParameterServer server, HttpExchange exchange, Push push) throws IOException;
    }

    static {
        // Else the JDK's server sends headers and body in two segments, 40 ms apart.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final JsonMapper json = JsonMapper.builder().build();
    private final HttpServer server;
    private final float learningRate;
    private final Map<String, Long> workers = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final List<JsonNode> registrations = new ArrayList<>();
    private final List<Push> pushes = new ArrayList<>();
    private final Deque<Mishap> mishaps = new ArrayDeque<>();
    private Optional<TensorSet> parameters = Optional.empty();
    private String generation = "gen1";
    private long version;
    private long rememberedSequence;
    private double workerMomentum;
    private int emptyPolls;
    private Optional<Push> buffered = Optional.empty();
    private Optional<String> refusedSecret = Optional.empty();
    private FakeWork work = new FakeWork(0);
    private boolean isEncoding = true;
    private String mode = "async";

    /** Starts on a free port, without parameters. */
    public FakeParameterServer(float learningRate) throws IOException {
        this.learningRate = learningRate;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Every push that arrived, those that were not applied too. */
    public synchronized List<Push> pushes() {
        return List.copyOf(pushes);
    }

    /** Every call so far, such as {@code GET /getParameter}. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Bodies of the registrations. */
    public synchronized List<JsonNode> registrations() {
        return List.copyOf(registrations);
    }

    public synchronized TensorSet parameters() {
        return parameters.orElseThrow();
    }

    public synchronized long version() {
        return version;
    }

    public synchronized List<String> workers() {
        return List.copyOf(workers.keySet());
    }

    public synchronized FakeParameterServer start(long atVersion, TensorSet with) {
        version = atVersion;
        parameters = Optional.of(with);
        return this;
    }

    /** Lets every worker that registers count on from {@code sequence}. */
    public synchronized FakeParameterServer remember(long sequence) {
        rememberedSequence = sequence;
        return this;
    }

    /** Asks every worker that registers for this momentum. */
    public synchronized FakeParameterServer askForMomentum(double momentum) {
        workerMomentum = momentum;
        return this;
    }

    /** Is as a server of before there were encodings. */
    public synchronized FakeParameterServer knowOnlyFloat32() {
        isEncoding = false;
        return this;
    }

    /** Says that it trains in this mode. */
    public synchronized FakeParameterServer trainIn(String other) {
        mode = other;
        return this;
    }

    /** Hands out this work. */
    public synchronized FakeParameterServer with(FakeWork other) {
        work = other;
        return this;
    }

    /** Takes {@code secretKey} for a wrong one; every other is right. */
    public synchronized FakeParameterServer refuse(String secretKey) {
        refusedSecret = Optional.of(secretKey);
        return this;
    }

    /** Lets the next push that has none yet meet {@code mishap}; the order is that of the calls. */
    public synchronized FakeParameterServer next(Mishap mishap) {
        mishaps.add(mishap);
        return this;
    }

    /** Lets the next push pass. */
    public FakeParameterServer nextIsFine() {
        return nextIsFineAnd(() -> {});
    }

    /** Lets the next push pass, and runs {@code then} before it is answered. */
    public FakeParameterServer nextIsFineAnd(Runnable then) {
        return next((server, exchange, push) -> {
            then.run();
            server.take(exchange, push);
        });
    }

    /** Applies the push, and closes the connection without an answer. */
    public static Mishap lostAnswer() {
        return (server, exchange, push) -> server.apply(push);
    }

    /** Closes the connection without having heard anything. */
    public static Mishap lostRequest() {
        return (server, exchange, push) -> {};
    }

    public static Mishap busy() {
        return (server, exchange, push) -> Answers.problem(exchange, 503, "busy", "256 gradients wait");
    }

    public static Mishap refused(int status, String rule, String detail) {
        return (server, exchange, push) -> Answers.problem(exchange, status, rule, detail);
    }

    /** Another worker moves the parameters on, and this one's gradient is too old. */
    public static Mishap stale() {
        return (server, exchange, push) -> {
            server.version++;
            Answers.problem(exchange, 409, "stale-gradient", "2 steps behind");
        };
    }

    /** The leases run out. */
    public static Mishap forgetWorkers() {
        return (server, exchange, push) -> {
            server.workers.clear();
            server.take(exchange, push);
        };
    }

    /** The server was restarted without its disk. */
    public static Mishap loseEverything() {
        return (server, exchange, push) -> {
            server.workers.clear();
            server.parameters = Optional.empty();
            server.generation = "gen2";
            server.version = 0;
            server.take(exchange, push);
        };
    }

    /** Applies the push, and lets the worker wait for slower ones: {@code emptyPolls} end without parameters. */
    public static Mishap tooFast(int emptyPolls) {
        return (server, exchange, push) -> {
            server.apply(push);
            server.emptyPolls = emptyPolls;
            Answers.send(exchange, 200, new PushReply(200, "applied", server.version, 0, true, null), Map.of());
        };
    }

    /** Refuses the push because slower workers are too far behind: {@code emptyPolls} end without parameters. */
    public static Mishap tooFarAhead(int emptyPolls) {
        return (server, exchange, push) -> {
            server.emptyPolls = emptyPolls;
            server.version++;
            Answers.problem(exchange, 409, "too-far-ahead", "3 iterations ahead");
        };
    }

    /** Keeps the push for a step that comes at a long poll, after {@code emptyPolls} that end without one. */
    public static Mishap buffer(boolean awaitNext, int emptyPolls) {
        return (server, exchange, push) -> {
            server.buffered = Optional.of(push);
            server.emptyPolls = emptyPolls;
            server.workers.put(push.metadata().worker(), push.metadata().sequence());
            Answers.send(exchange, 202, new PushReply(202, "buffered", server.version, 0, awaitNext, null), Map.of());
        };
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            calls.add(call);
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/registerWorker")) {
                register(exchange, json.readTree(body));
            } else if (path.equals("/unregisterWorker")) {
                unregister(exchange, json.readTree(body).get("id").stringValue());
            } else if (path.equals("/getParameter")) {
                pull(
                        exchange,
                        String.valueOf(exchange.getRequestURI().getQuery()).startsWith("after"));
            } else if (path.equals("/status")) {
                Answers.send(exchange, 200, Answers.status(generation, version, mode), Map.of());
            } else if (path.equals("/putParameter")) {
                put(exchange, Push.tensors(body));
            } else if (path.equals("/nextShard") && work.isPut()) {
                Answers.send(exchange, 200, work.hand(), Map.of());
            } else if (path.equals("/nextShard")) {
                Answers.problem(exchange, 409, "no-work", "the run has no work");
            } else if (path.equals("/putGradient")) {
                push(exchange, Push.tensors(body));
            } else {
                Answers.problem(exchange, 404, "not-found", call);
            }
        }
    }

    private void register(HttpExchange exchange, JsonNode request) throws IOException {
        registrations.add(request);
        if (refusedSecret.isPresent()
                && refusedSecret.get().equals(request.path("secretKey").asString(""))) {
            exchange.getResponseHeaders()
                    .set(
                            "WWW-Authenticate",
                            "Bearer error=\"invalid_token\", error_description=\"the keys are those of no role\"");
            Answers.problem(exchange, 401, "unauthenticated", "the keys are those of no role");
            return;
        }
        String id = request.path("id").isString() ? request.get("id").stringValue() : "drawn-" + registrations.size();
        if (workers.containsKey(id)) {
            Answers.problem(exchange, 409, "worker-exists", id + " is registered");
            return;
        }
        workers.put(id, rememberedSequence);
        Answers.send(
                exchange,
                200,
                new RegisterWorkerReply(
                        200,
                        id,
                        30_000,
                        generation,
                        version,
                        rememberedSequence,
                        workerMomentum,
                        null,
                        null,
                        isEncoding ? Encodings.OF_GRADIENTS : null,
                        isEncoding ? Encodings.OF_PARAMETERS : null),
                Map.of());
    }

    private void unregister(HttpExchange exchange, String id) throws IOException {
        if (workers.remove(id) == null) {
            Answers.problem(exchange, 409, "unknown-worker", id + " is not registered");
        } else {
            Answers.send(exchange, 200, new UnregisterWorkerReply(200, id), Map.of());
        }
    }

    private void pull(HttpExchange exchange, boolean isLongPoll) throws IOException {
        if (isLongPoll && emptyPolls > 0) {
            emptyPolls--;
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        buffered.ifPresent(this::apply);
        buffered = Optional.empty();
        if (parameters.isEmpty()) {
            Answers.problem(exchange, 404, "no-parameters", "there is no parameter set yet");
        } else {
            sendParameters(exchange, Map.of());
        }
    }

    private void put(HttpExchange exchange, TensorSet initial) throws IOException {
        if (parameters.isPresent()) {
            Answers.problem(exchange, 412, "precondition-failed", "there is a parameter set");
            return;
        }
        parameters = Optional.of(initial);
        TensorLayout layout = initial.layout();
        Answers.send(
                exchange,
                201,
                new PutParameterReply(201, generation, version, layout.size(), layout.byteLength()),
                Map.of("ETag", current().etag()));
    }

    private void push(HttpExchange exchange, TensorSet tensors) throws IOException {
        Push push = new Push(GradientMetadata.parse(tensors.metadata()), tensors);
        pushes.add(push);
        if (mishaps.isEmpty()) {
            take(exchange, push);
        } else {
            mishaps.remove().meet(this, exchange, push);
        }
    }

    private void take(HttpExchange exchange, Push push) throws IOException {
        Long last = workers.get(push.metadata().worker());
        if (last == null) {
            Answers.problem(exchange, 409, "unknown-worker", push.metadata().worker() + " is not registered");
        } else if (parameters.isEmpty()) {
            Answers.problem(exchange, 409, "no-parameters", "there is no parameter set yet");
        } else if (!push.metadata().generation().equals(generation)) {
            Answers.problem(exchange, 409, "other-generation", "this is " + generation);
        } else {
            String outcome = push.metadata().sequence() <= last ? "duplicate" : "applied";
            if (outcome.equals("applied") && !work.isNext(push.metadata())) {
                Answers.problem(exchange, 409, "other-cursor", "the worker is elsewhere");
                return;
            }
            if (outcome.equals("applied")) {
                apply(push);
            }
            sendParameters(exchange, Map.of(HeaderNames.OUTCOME, outcome, HeaderNames.STALENESS, "0"));
        }
    }

    private void apply(Push push) {
        TensorSet before = parameters();
        parameters = Optional.of(Answers.stepped(before, learningRate, push.gradient(before.layout())));
        version++;
        workers.put(push.metadata().worker(), push.metadata().sequence());
        push.metadata().cursor().ifPresent(work::advance);
    }

    private void sendParameters(HttpExchange exchange, Map<String, String> headers) throws IOException {
        byte[] body = Answers.parameters(parameters(), current(), exchange.getRequestURI());
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("ETag", current().etag());
        exchange.getResponseHeaders().set(HeaderNames.VERSION, Long.toString(version));
        exchange.getResponseHeaders().set(HeaderNames.GENERATION, generation);
        Answers.answer(exchange, 200, HeaderNames.SAFETENSORS, body);
    }

    private ParameterVersion current() {
        return new ParameterVersion(generation, version);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
