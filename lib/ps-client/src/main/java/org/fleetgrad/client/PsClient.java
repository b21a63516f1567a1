package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PutParameterReply;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackReply;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackRequest;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkMessages.CompleteShardReply;
import org.fleetgrad.protocol.messages.WorkMessages.CompleteShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardReply;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardRequest;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkReply;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepReply;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerRequest;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * A client of one parameter server.
 *
 * <p>Every call blocks until its response. A call whose response is lost, or is 429 or 503, is retried with growing pauses
 * for {@link ClientOptions#retryFor}; this is safe because reads change nothing and a push counts once under its sequence
 * number. With {@link Credentials} it gets its tokens by itself, renews them shortly before they expire, and once more if
 * the server refuses one; wrong keys are a {@link ProblemException} with status 401 at once. Outcomes that a caller must
 * expect are sealed results; anything else is an {@link IOException}. Thread-safe.
 */
public final class PsClient {

    private static final Map<String, String> ACCEPT_JSON = Map.of("Accept", "application/json");

    private final URI address;

    /** The address without a slash at its end; it may have a path, as behind a gateway. */
    private final URI base;

    private final Transport transport;
    private final Retry retry;
    private final Json json = new Json();
    private final PulledAnswers pulled = new PulledAnswers();
    private final Map<String, String> identity;
    private final Optional<Session> session;

    /** Sends the calls that need a token; adds one if there are keys. */
    private final Transport guarded;

    /** The encoding in which parameters are pulled. */
    private final ParameterEncoding pulling;

    /**
     * Prepares a client for the server at {@code base}, such as {@code http://127.0.0.1:29500}, or {@code unix:/run/fleetgrad.sock}
     * for a server on this machine; nothing is sent yet.
     */
    public PsClient(URI base, ClientOptions options) {
        this(
                base,
                Transports.of(base, options),
                new Retry(options.retryFor(), Clock.systemUTC(), PsClient::sleep),
                Map.of());
    }

    PsClient(URI base, Transport transport, Retry retry, Map<String, String> identity) {
        this(base, transport, retry, identity, Optional.empty(), Encodings.PLAIN);
    }

    private PsClient(
            URI address,
            Transport transport,
            Retry retry,
            Map<String, String> identity,
            Optional<Session> session,
            ParameterEncoding pulling) {
        this.address = address;
        this.base = Transports.base(address);
        this.transport = transport;
        this.retry = retry;
        this.identity = identity;
        this.session = session;
        this.guarded = session.map(known -> known.transport(identity.get(HeaderNames.WORKER)))
                .orElse(transport);
        this.pulling = pulling;
    }

    /** Returns a client that presents these keys; the clients made from it share its tokens. Nothing is sent yet. */
    public PsClient withCredentials(Credentials credentials) {
        Session known = new Session(base, transport, retry.clock(), credentials);
        return new PsClient(address, transport, retry, identity, Optional.of(known), pulling);
    }

    /** Returns a client whose every call renews the lease of {@code worker}. */
    public PsClient as(String worker) {
        return new PsClient(address, transport, retry, Map.of(HeaderNames.WORKER, worker), session, pulling);
    }

    /**
     * Returns a client whose pulls, and the pulls of its pushes, use this encoding. Its callers still get float32. A
     * server that knows no encodings answers float32.
     */
    public PsClient pullingAs(ParameterEncoding encoding) {
        return new PsClient(address, transport, retry, identity, session, encoding);
    }

    /**
     * Registers a worker. A live id of the same name is a {@link ProblemException} with status 409. The token in the
     * response is used by the client that {@link #as} makes for the worker.
     */
    public RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException {
        RegisterWorkerRequest signed =
                session.map(known -> known.signed(request)).orElse(request);
        // With keys and without a token: this call returns the token.
        CallResponse answer = sendJson(transport, "POST", Routes.REGISTER_WORKER, signed);
        RegisterWorkerReply reply = json.read(succeed(answer), RegisterWorkerReply.class);
        session.ifPresent(known -> known.keep(reply));
        return reply;
    }

    /** Ends a worker's lease. An unknown id is a {@link ProblemException} with status 409. */
    public UnregisterWorkerReply unregister(String worker) throws IOException {
        return json.read(
                succeed(postJson(Routes.UNREGISTER_WORKER, new UnregisterWorkerRequest(worker))),
                UnregisterWorkerReply.class);
    }

    /**
     * Reports that a worker has no gradient for the step from {@code version}, so the step need not wait for it. A
     * worker that is not registered is a {@link ProblemException} with status 409.
     */
    public PassStepReply passStep(String worker, ParameterVersion version) throws IOException {
        return json.read(
                succeed(postJson(
                        Routes.PASS_STEP, new PassStepRequest(worker, version.generation(), version.version()))),
                PassStepReply.class);
    }

    /** Returns the server's address. */
    public URI address() {
        return address;
    }

    /**
     * Sets the work of the run. If the run has work over the same shards, it continues with the new addresses and the
     * new number of epochs. If it is in the middle of other work, that is a {@link ProblemException} with status 409.
     */
    public PutWorkReply putWork(WorkPlan plan) throws IOException {
        PutWorkRequest request = new PutWorkRequest(
                plan.dataset(),
                plan.epochs(),
                plan.shards().stream()
                        .map(shard -> new PutWorkRequest.Shard(shard.name(), shard.url(), shard.samples()))
                        .toList());
        return json.read(succeed(sendJson(guarded, "PUT", Routes.PUT_WORK, request)), PutWorkReply.class);
    }

    /** Requests the next shard to train on. A worker that is not registered is a {@link ProblemException} with status 409. */
    public NextShardReply nextShard(String worker) throws IOException {
        return json.read(succeed(postJson(Routes.NEXT_SHARD, new NextShardRequest(worker))), NextShardReply.class);
    }

    /** Returns a shard, done or not; the position that the worker's gradients have reached counts. */
    public CompleteShardReply completeShard(String worker, long epoch, int shard) throws IOException {
        return json.read(
                succeed(postJson(Routes.COMPLETE_SHARD, new CompleteShardRequest(worker, epoch, shard))),
                CompleteShardReply.class);
    }

    /** Requests the newest version and its accuracy. */
    public VersionReply version() throws IOException {
        return json.read(succeed(get(Routes.GET_VERSION)), VersionReply.class);
    }

    /** Requests the run's state. */
    public StatusReply status() throws IOException {
        return json.read(succeed(get(Routes.STATUS)), StatusReply.class);
    }

    /** Requests the run's history so far. */
    public HistoryReply history() throws IOException {
        return json.read(succeed(get(Routes.HISTORY)), HistoryReply.class);
    }

    /** Requests the newest evaluation. */
    public AccuracyReply accuracy() throws IOException {
        return json.read(succeed(get(Routes.GET_ACCURACY)), AccuracyReply.class);
    }

    /** Reports an evaluation; one of another generation is a {@link ProblemException} with status 409. */
    public AccuracyReply putAccuracy(PutAccuracyRequest request) throws IOException {
        return json.read(succeed(postJson(Routes.PUT_ACCURACY, request)), AccuracyReply.class);
    }

    /**
     * Asks the server to roll back to a checkpoint of its run. A {@link ProblemException} says that it does not have
     * the checkpoint, cannot read it, or has other tensors. Like any call, this one is repeated if its response is
     * lost; steps between the two calls are undone, too.
     *
     * @param checkpoint the checkpoint's number
     */
    public RollbackReply rollback(long checkpoint) throws IOException {
        return json.read(succeed(postJson(Routes.ROLLBACK, new RollbackRequest(checkpoint))), RollbackReply.class);
    }

    /** Pulls the newest parameter set. */
    public PullResult pull() throws IOException {
        return pull(Routes.GET_PARAMETER + encoding('?'), Map.of("Accept", HeaderNames.SAFETENSORS), Duration.ZERO);
    }

    /**
     * Pulls the newest parameter set unless it is {@code known}, waiting up to {@code wait} for another. A server that
     * began a new generation answers at once with its newest version.
     */
    public PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException {
        String tag = pulling.isLossless() ? known.etag() : known.etagAs(pulling.name());
        return pull(
                "%s?after=%d&waitMs=%d%s"
                        .formatted(Routes.GET_PARAMETER, known.version(), wait.toMillis(), encoding('&')),
                Map.of("Accept", HeaderNames.SAFETENSORS, "If-None-Match", tag),
                wait);
    }

    private PullResult pull(String path, Map<String, String> headers, Duration wait) throws IOException {
        Transport.Response response = exchange("GET", path, headers, List.of(), wait);
        if (response.status() == 304) {
            return new PullResult.NotModified();
        }
        if (response.status() == 404 && problem(response).rule().equals(ProblemRules.NO_PARAMETERS)) {
            return new PullResult.NotInitialized();
        }
        return pulled.read(succeed(new CallResponse("GET " + path, response)));
    }

    /** Puts an initial parameter set, unless the server already has one. */
    public PutResult putInitial(TensorSet parameters) throws IOException {
        return put(parameters, Map.of("Content-Type", HeaderNames.SAFETENSORS, "If-None-Match", "*"));
    }

    /**
     * Overwrites the parameter set as a new version.
     *
     * @param newest the version that it replaces
     * @return {@link PutResult.AlreadyInitialized} if another version is the newest one
     */
    public PutResult putOver(ParameterVersion newest, TensorSet parameters) throws IOException {
        return put(parameters, Map.of("Content-Type", HeaderNames.SAFETENSORS, "If-Match", newest.etag()));
    }

    private PutResult put(TensorSet parameters, Map<String, String> headers) throws IOException {
        Transport.Response response =
                exchange("PUT", Routes.PUT_PARAMETER, headers, List.of(Safetensors.encode(parameters)), Duration.ZERO);
        if (response.status() == 412) {
            return new PutResult.AlreadyInitialized();
        }
        PutParameterReply reply =
                json.read(succeed(new CallResponse("PUT " + Routes.PUT_PARAMETER, response)), PutParameterReply.class);
        return new PutResult.Accepted(new ParameterVersion(reply.generation(), reply.version()));
    }

    /**
     * Pushes a gradient.
     *
     * @param gradient mean gradient in the order of {@code layout}; read before the call returns, never retained
     * @param pull     whether to request the newest parameter set in the same round trip
     */
    public PushResult push(GradientMetadata metadata, TensorLayout layout, float[] gradient, boolean pull)
            throws IOException {
        return push(SafetensorsHeader.encode(layout, metadata.toMap(), 0), littleEndian(layout, gradient), pull);
    }

    /** Pushes a gradient whose file is {@code header} and {@code data}, which are only read. */
    PushResult push(byte[] header, ByteBuffer data, boolean pull) throws IOException {
        return pushes().push(header, data, pull);
    }

    /** Returns the calls about gradients of partitioned parameters. */
    PushCalls pushes() {
        return new PushCalls(
                (method, path, headers, body) -> exchange(method, path, headers, body, Duration.ZERO),
                json,
                pulled,
                pulling);
    }

    /** Returns the query's part for the encoding; empty for the default encoding. */
    private String encoding(char separator) {
        return pulling.isLossless() ? "" : separator + "encoding=" + pulling.name();
    }

    private static ByteBuffer littleEndian(TensorLayout layout, float[] gradient) {
        if (!layout.isAllFloat32() || layout.elementCount() != gradient.length) {
            throw new IllegalArgumentException("the layout has %d float32 values, the gradient %d"
                    .formatted(layout.elementCount(), gradient.length));
        }
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(gradient);
        return data;
    }

    private CallResponse get(String path) throws IOException {
        return new CallResponse("GET " + path, exchange("GET", path, ACCEPT_JSON, List.of(), Duration.ZERO));
    }

    private CallResponse postJson(String path, Object message) throws IOException {
        return sendJson(guarded, "POST", path, message);
    }

    private CallResponse sendJson(Transport carrier, String method, String path, Object message) throws IOException {
        return new CallResponse(
                method + " " + path,
                exchange(
                        carrier,
                        method,
                        path,
                        Map.of("Content-Type", "application/json", "Accept", "application/json"),
                        List.of(ByteBuffer.wrap(json.write(message))),
                        Duration.ZERO));
    }

    private Transport.Response exchange(
            String method, String path, Map<String, String> headers, List<ByteBuffer> body, Duration wait)
            throws IOException {
        return exchange(guarded, method, path, headers, body, wait);
    }

    private Transport.Response exchange(
            Transport carrier,
            String method,
            String path,
            Map<String, String> headers,
            List<ByteBuffer> body,
            Duration wait)
            throws IOException {
        URI uri = URI.create(base + path);
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(identity);
        return retry.run(
                method + " " + uri, () -> carrier.exchange(new Transport.Request(method, uri, all, body, wait)));
    }

    private CallResponse succeed(CallResponse answer) throws IOException {
        if (answer.response().status() / 100 != 2) {
            throw new ProblemException(answer.call(), problem(answer.response()));
        }
        return answer;
    }

    private Problem problem(Transport.Response response) {
        return json.problem(response);
    }

    private static void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis());
    }
}
