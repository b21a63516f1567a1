package org.fleetgrad.client.fake;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkReply;
import org.fleetgrad.protocol.messages.WorkerMessages.LocalStepsTerms;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.OpenApiContract;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contract of the parameter server in its plainest form, over real HTTP: one step of plain SGD per push. It records
 * the received requests, and fails as the test prescribes. Thread-safe.
 */
public final class FakeParameterServer implements AutoCloseable {

    private final JsonMapper json = JsonMapper.builder().build();
    private final FakeHttp http;
    private final FakeTraining training;
    private final Queue<PushFault> faults = new ConcurrentLinkedQueue<>();
    private final Queue<FakeResponse> refusals = new ConcurrentLinkedQueue<>();
    private final List<JsonNode> registrations = new CopyOnWriteArrayList<>();
    private final List<JsonNode> works = new CopyOnWriteArrayList<>();
    private final List<Push> pushes = new CopyOnWriteArrayList<>();
    private final List<PutAccuracyRequest> accuracies = new CopyOnWriteArrayList<>();
    private final AtomicInteger versionCalls = new AtomicInteger();
    private volatile Optional<String> refusedSecret = Optional.empty();

    /** Starts on a free port, without parameters. */
    public FakeParameterServer(float learningRate) throws IOException {
        this(learningRate, 0);
    }

    /** Starts on a port, without parameters. */
    public FakeParameterServer(float learningRate, int port) throws IOException {
        this.training = new FakeTraining(learningRate);
        this.http = new FakeHttp(port, this::answer);
        http.start();
    }

    public URI uri() {
        return http.uri();
    }

    public int port() {
        return http.port();
    }

    /** Every push that arrived, those that were not applied too. */
    public List<Push> pushes() {
        return pushes;
    }

    /** Every call so far, such as {@code GET /getParameter}. */
    public List<String> calls() {
        return http.calls();
    }

    /** Bodies of the registrations. */
    public List<JsonNode> registrations() {
        return registrations;
    }

    /** Every work that was put. */
    public List<JsonNode> works() {
        return works;
    }

    /** Every way in which an exchange was not as the contract documents it. */
    public List<Throwable> violations() {
        return http.violations();
    }

    public TensorSet parameters() {
        return training.parameters();
    }

    public long version() {
        return training.version();
    }

    public List<String> workers() {
        return training.workers();
    }

    /** The accuracy that was reported for a version. */
    public Optional<PutAccuracyRequest> accuracyOf(ParameterVersion evaluated) {
        return accuracies.stream()
                .filter(report -> new ParameterVersion(
                                String.valueOf(report.generation()), Objects.requireNonNull(report.version()))
                        .equals(evaluated))
                .findFirst();
    }

    /** Holds every exchange to {@code openapi.yaml}; see {@link #violations()}. */
    public FakeParameterServer heldTo(OpenApiContract documented) {
        http.holdTo(documented);
        return this;
    }

    public FakeParameterServer start(long atVersion, TensorSet with) {
        publish(new ParameterVersion(training.generation(), atVersion), with);
        return this;
    }

    /** Makes a parameter set the newest, and completes the long polls. */
    public void publish(ParameterVersion next, TensorSet values) {
        training.publish(next, values);
    }

    /** Makes every worker that registers continue after {@code sequence}. */
    public FakeParameterServer remember(long sequence) {
        training.remember(sequence);
        return this;
    }

    /** Requires this momentum of every worker that registers. */
    public FakeParameterServer askForMomentum(double momentum) {
        training.askForMomentum(momentum);
        return this;
    }

    /** Requires these local steps of every worker that registers. */
    public FakeParameterServer askForLocalSteps(LocalStepsTerms local) {
        training.askForLocalSteps(local);
        return this;
    }

    /** Freezes the tensors of these patterns, for the workers that register from now on. */
    public FakeParameterServer freeze(String patterns) {
        training.freeze(FreezePatterns.parse(patterns));
        return this;
    }

    /** Acts as a server without encodings. */
    public FakeParameterServer knowOnlyFloat32() {
        training.knowOnlyFloat32();
        return this;
    }

    /** States that it accepts gradients on the newest version only. */
    public FakeParameterServer trainSynchronously() {
        training.trainSynchronously();
        return this;
    }

    /** Assigns this work. */
    public FakeParameterServer with(FakeWork work) {
        training.assign(work);
        return this;
    }

    /** Returns how often the newest version was asked for. */
    public int versionCalls() {
        return versionCalls.get();
    }

    /** Refuses {@code secretKey}; every other key is right. */
    public FakeParameterServer refuseSecret(String secretKey) {
        refusedSecret = Optional.of(secretKey);
        return this;
    }

    /** Answers the next request with a problem; several calls queue up. */
    public FakeParameterServer refuseNext(int status, String rule, String detail) {
        refusals.add(FakeResponse.problem(status, rule, detail));
        return this;
    }

    /** Applies {@code fault} to the next push; several calls queue up. */
    public FakeParameterServer next(PushFault fault) {
        faults.add(fault);
        return this;
    }

    /** Accepts the next push. */
    public FakeParameterServer nextIsFine() {
        return nextIsFineAnd(() -> {});
    }

    /** Accepts the next push, and runs {@code then} before the response. */
    public FakeParameterServer nextIsFineAnd(Runnable then) {
        return next(PushFault.noneBut(then));
    }

    private Optional<FakeResponse> answer(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        FakeResponse refusal = refusals.poll();
        if (refusal != null) {
            return Optional.of(refusal);
        }
        String path = exchange.getRequestURI().getPath();
        if (path.equals(Routes.PUT_GRADIENT)) {
            return push(Push.of(exchange.getRequestURI(), body));
        }
        return Optional.of(
                switch (path) {
                    case Routes.REGISTER_WORKER -> register(json.readTree(body));
                    case Routes.UNREGISTER_WORKER ->
                        training.unregister(json.readTree(body).get("id").stringValue());
                    case Routes.GET_PARAMETER -> training.pull(exchange);
                    case Routes.PUT_PARAMETER -> training.put(Push.tensors(body));
                    case Routes.STATUS -> FakeResponse.json(200, training.status());
                    case Routes.GET_VERSION -> {
                        versionCalls.incrementAndGet();
                        yield FakeResponse.json(200, training.newest(accuracies));
                    }
                    case Routes.PUT_ACCURACY -> putAccuracy(json.readValue(body, PutAccuracyRequest.class));
                    case Routes.PUT_WORK -> putWork(json.readTree(body));
                    case Routes.NEXT_SHARD -> training.nextShard();
                    default -> FakeResponse.problem(404, ProblemKind.NOT_FOUND.rule(), "there is no " + path);
                });
    }

    private FakeResponse register(JsonNode request) {
        registrations.add(request);
        if (refusedSecret.isPresent()
                && refusedSecret.get().equals(request.path("secretKey").asString(""))) {
            return FakeResponse.problem(401, ProblemKind.UNAUTHENTICATED.rule(), "the keys are those of no role");
        }
        return training.register(
                request.path("id").isString() ? request.get("id").stringValue() : "drawn-" + registrations.size());
    }

    private Optional<FakeResponse> push(Push push) {
        pushes.add(push);
        PushFault fault = faults.poll();
        return fault == null ? Optional.of(training.take(push)) : fault.respond(training, push);
    }

    private FakeResponse putAccuracy(PutAccuracyRequest report) {
        if (!training.isOf(String.valueOf(report.generation()))) {
            return FakeResponse.problem(409, ProblemKind.OTHER_GENERATION.rule(), "the run has another history");
        }
        accuracies.add(report);
        return FakeResponse.json(
                200,
                new AccuracyReply(
                        200,
                        report.accuracy(),
                        report.accuracyTop5(),
                        report.loss(),
                        report.text(),
                        report.regression(),
                        report.binary(),
                        null,
                        report.version(),
                        report.samples(),
                        String.valueOf(report.generation()),
                        report.accuracy(),
                        false));
    }

    private FakeResponse putWork(JsonNode work) {
        long samples = 0;
        for (JsonNode shard : work.get("shards")) {
            samples += shard.get("samples").longValue();
        }
        PutWorkReply reply =
                new PutWorkReply(200, works.isEmpty(), work.get("shards").size(), samples);
        works.add(work);
        return FakeResponse.json(200, reply);
    }

    @Override
    public void close() {
        http.close();
    }
}
