package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PutParameterReply;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackReply;
import org.fleetgrad.protocol.messages.ParameterMessages.RollbackRequest;
import org.fleetgrad.protocol.messages.ParameterMessages.StagedGradientsReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.RunMessages.PutBestReply;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkReply;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest;
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
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * A client of one parameter server.
 *
 * <p>Every call blocks until its response. A call whose response is lost, or is 408, 429 or 503, is retried with growing
 * pauses for {@link ClientOptions#retryFor}; this is safe because reads change nothing and a push counts once under its
 * sequence number. With {@link Credentials} it gets its tokens by itself, renews them shortly before they expire, and
 * once more if the server refuses one; wrong keys are a {@link ProblemException} with status 401 at once. Outcomes that
 * a caller must expect are sealed results; anything else is an {@link IOException}. Thread-safe.
 */
public final class PsClient implements ParameterServers {

    private static final Map<String, String> ACCEPT_JSON = Map.of("Accept", "application/json");
    private static final Map<String, String> JSON =
            Map.of("Content-Type", "application/json", "Accept", "application/json");
    private static final Map<String, String> SAFETENSORS = Map.of("Content-Type", HeaderNames.SAFETENSORS);

    private final URI address;
    private final Exchange exchange;

    /** The bytes of a version that are pulled. */
    private final ParameterForm pulling;

    private final MessageCodec codec = new MessageCodec();

    /**
     * Prepares a client for the server at an address such as {@code http://127.0.0.1:29500}, or
     * {@code unix:/run/fleetgrad.sock} for a server on this machine; nothing is sent yet.
     */
    public PsClient(URI address, ClientOptions options) {
        this(address, Exchange.with(address, options));
    }

    PsClient(URI address, Exchange exchange) {
        this(address, exchange, ParameterForm.WHOLE);
    }

    private PsClient(URI address, Exchange exchange, ParameterForm pulling) {
        this.address = address;
        this.exchange = exchange;
        this.pulling = pulling;
    }

    /** Returns a client that presents these keys; the clients made from it share its tokens. Nothing is sent yet. */
    public PsClient withCredentials(Credentials credentials) {
        return new PsClient(address, exchange.with(credentials), pulling);
    }

    @Override
    public PsClient as(String worker) {
        return new PsClient(address, exchange.as(worker), pulling);
    }

    /**
     * Returns a client whose pulls, and the pulls of its pushes, use this encoding. Its callers still get float32. A
     * server that knows no encodings answers float32.
     */
    @Override
    public PsClient pullingAs(ParameterEncoding encoding) {
        return new PsClient(address, exchange, new ParameterForm(encoding, pulling.omitsFrozen()));
    }

    @Override
    public PsClient omitting(FrozenTensors frozen) {
        return new PsClient(address, exchange, new ParameterForm(pulling.encoding(), !frozen.isEmpty()));
    }

    @Override
    public PsClient lead() {
        return this;
    }

    @Override
    public List<PsClient> all() {
        return List.of(this);
    }

    @Override
    public void closeIdle() {
        exchange.closeIdle();
    }

    /**
     * Registers a worker. A live id of the same name is a {@link ProblemException} with status 409. The token in the
     * response is used by the client that {@link #as} makes for the worker.
     */
    @Override
    public RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException {
        Optional<Session> session = exchange.session();
        RegisterWorkerRequest signed =
                session.map(known -> known.signed(request)).orElse(request);
        // With keys and without a token: this call returns the token.
        Response response =
                exchange.sendWithoutToken("POST", Routes.REGISTER_WORKER, JSON, ByteBuffer.wrap(codec.encode(signed)));
        RegisterWorkerReply reply = codec.decode("POST " + Routes.REGISTER_WORKER, response, RegisterWorkerReply.class);
        session.ifPresent(known -> known.store(reply));
        return reply;
    }

    @Override
    public UnregisterWorkerReply unregister(String worker) throws IOException {
        return post(Routes.UNREGISTER_WORKER, new UnregisterWorkerRequest(worker), UnregisterWorkerReply.class);
    }

    /**
     * Reports that a worker has no gradient for the step from {@code version}, so the step need not wait for it. A
     * worker that is not registered is a {@link ProblemException} with status 409.
     */
    public PassStepReply passStep(String worker, ParameterVersion version) throws IOException {
        return post(
                Routes.PASS_STEP,
                new PassStepRequest(worker, version.generation(), version.version()),
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
                        .toList(),
                plan.paused());
        return send("PUT", Routes.PUT_WORK, request, PutWorkReply.class);
    }

    /** Adds a shard, which is trained on once. A run that takes no more now is a {@link ProblemException} with status 409. */
    public AddWorkReply addWork(AddWorkRequest shard) throws IOException {
        return send("POST", Routes.ADD_WORK, shard, AddWorkReply.class);
    }

    /**
     * Requests the next shard to train on. A worker that is not registered is a {@link ProblemException} with status
     * 409.
     */
    public NextShardReply nextShard(String worker) throws IOException {
        return post(Routes.NEXT_SHARD, new NextShardRequest(worker), NextShardReply.class);
    }

    /** Returns a shard, done or not; the position that the worker's gradients have reached counts. */
    public CompleteShardReply completeShard(String worker, long epoch, int shard) throws IOException {
        return post(Routes.COMPLETE_SHARD, new CompleteShardRequest(worker, epoch, shard), CompleteShardReply.class);
    }

    /** Requests the newest version and its accuracy. */
    public VersionReply version() throws IOException {
        return get(Routes.GET_VERSION, VersionReply.class);
    }

    /** Requests the run's state. */
    public StatusReply status() throws IOException {
        return get(Routes.STATUS, StatusReply.class);
    }

    /** Requests the run's history so far. */
    public HistoryReply history() throws IOException {
        return get(Routes.HISTORY, HistoryReply.class);
    }

    /** Requests the newest evaluation. */
    public AccuracyReply accuracy() throws IOException {
        return get(Routes.GET_ACCURACY, AccuracyReply.class);
    }

    /** Reports an evaluation; one of another generation is a {@link ProblemException} with status 409. */
    public AccuracyReply putAccuracy(PutAccuracyRequest request) throws IOException {
        return post(Routes.PUT_ACCURACY, request, AccuracyReply.class);
    }

    /**
     * Reports an evaluation, and sends the parameters of the evaluated version if the server asks for them, because it is the best so
     * far. An evaluation of another generation is a {@link ProblemException} with status 409.
     */
    public void putAccuracy(PutAccuracyRequest request, PullResult.Pulled evaluated) throws IOException {
        if (Boolean.TRUE.equals(putAccuracy(request).parametersWanted())) {
            PutBestReply unused = putBest(evaluated.version(), evaluated.parameters());
        }
    }

    /** Sends the parameters of an evaluated version: of all servers, if the run has several. */
    public PutBestReply putBest(ParameterVersion version, TensorSet parameters) throws IOException {
        String generation = URLEncoder.encode(version.generation(), StandardCharsets.UTF_8);
        String path = "%s?generation=%s&version=%d".formatted(Routes.PUT_BEST, generation, version.version());
        List<ByteBuffer> body = List.of(Safetensors.encode(parameters));
        return codec.decode(
                "PUT " + path, exchange.send("PUT", path, SAFETENSORS, body, Duration.ZERO), PutBestReply.class);
    }

    /**
     * Asks the server to roll back to a checkpoint of its run. A {@link ProblemException} says that it does not have
     * the checkpoint, cannot read it, or has other tensors. Like any call, this one is repeated if its response is
     * lost; steps between the two calls are undone, too.
     *
     * @param checkpoint the checkpoint's number
     */
    public RollbackReply rollback(long checkpoint) throws IOException {
        return post(Routes.ROLLBACK, new RollbackRequest(checkpoint), RollbackReply.class);
    }

    @Override
    public PullResult pull() throws IOException {
        return pull(
                Routes.GET_PARAMETER + pulling.query('?'), Map.of("Accept", HeaderNames.SAFETENSORS), Duration.ZERO);
    }

    @Override
    public PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException {
        return pull(
                "%s?after=%d&waitMs=%d%s"
                        .formatted(Routes.GET_PARAMETER, known.version(), wait.toMillis(), pulling.query('&')),
                Map.of("Accept", HeaderNames.SAFETENSORS, "If-None-Match", pulling.etag(known)),
                wait);
    }

    private PullResult pull(String path, Map<String, String> headers, Duration wait) throws IOException {
        Response response = exchange.send("GET", path, headers, List.of(), wait);
        if (response.status() == 304) {
            return new PullResult.NotModified();
        }
        if (response.status() == 404 && codec.problem(response).is(ProblemKind.NO_PARAMETERS)) {
            return new PullResult.NotInitialized();
        }
        return codec.parameters("GET " + path, response);
    }

    @Override
    public void putInitial(InitialSet initial) throws IOException {
        Optional<ParameterVersion> unused = putInitial(initial.own());
    }

    /**
     * Puts an initial parameter set, unless the server already has one.
     *
     * @return the version under which it is served; empty if another set was put first
     */
    public Optional<ParameterVersion> putInitial(TensorSet parameters) throws IOException {
        return put(parameters, Map.of("Content-Type", HeaderNames.SAFETENSORS, "If-None-Match", "*"));
    }

    /**
     * Overwrites the parameter set as a new version.
     *
     * @param newest the version that it replaces
     * @return the version under which it is served; empty if another version than {@code newest} is the newest one
     */
    public Optional<ParameterVersion> putOver(ParameterVersion newest, TensorSet parameters) throws IOException {
        return put(parameters, Map.of("Content-Type", HeaderNames.SAFETENSORS, "If-Match", newest.etag()));
    }

    private Optional<ParameterVersion> put(TensorSet parameters, Map<String, String> headers) throws IOException {
        Response response = exchange.send(
                "PUT", Routes.PUT_PARAMETER, headers, List.of(Safetensors.encode(parameters)), Duration.ZERO);
        if (response.status() == 412) {
            return Optional.empty();
        }
        PutParameterReply reply = codec.decode("PUT " + Routes.PUT_PARAMETER, response, PutParameterReply.class);
        return Optional.of(new ParameterVersion(reply.generation(), reply.version()));
    }

    @Override
    public PushResult push(GradientMetadata metadata, PullResult.Pulled base, GradientSender gradient, boolean pull)
            throws IOException {
        return push(metadata, gradient, pull);
    }

    /**
     * Pushes the gradient that was prepared last; this is the run's only server.
     *
     * @throws IllegalStateException when no gradient was prepared
     */
    public PushResult push(GradientMetadata metadata, GradientSender gradient, boolean pull) throws IOException {
        PushResult result = gradient.push(0, this, metadata, pull);
        if (result instanceof PushResult.Stale || result instanceof PushResult.NotInitialized) {
            gradient.revert();
        }
        return result;
    }

    /**
     * Pushes a gradient.
     *
     * @param gradient mean gradient in the order of {@code layout}; read before the call returns, never retained
     * @param pull     whether to request the newest parameter set in the same round trip
     */
    public PushResult push(GradientMetadata metadata, TensorLayout layout, float[] gradient, boolean pull)
            throws IOException {
        ByteBuffer data = TensorSet.ofFloats(layout, gradient, Map.of()).data();
        return push(SafetensorsHeader.encode(layout, metadata.toMap(), 0), data, pull);
    }

    /**
     * Pushes a gradient whose file is {@code header} and {@code data}, which are only read. It counts if it is
     * accepted.
     */
    PushResult push(byte[] header, ByteBuffer data, boolean pull) throws IOException {
        return push(pull ? Routes.PUT_GRADIENT + "?pull=true" + pulling.query('&') : Routes.PUT_GRADIENT, header, data);
    }

    /** Pushes a gradient, which counts once it is settled. */
    PushResult stage(byte[] header, ByteBuffer data) throws IOException {
        return push(Routes.PUT_GRADIENT + "?stage=true", header, data);
    }

    private PushResult push(String path, byte[] header, ByteBuffer data) throws IOException {
        Response response =
                exchange.send("POST", path, SAFETENSORS, List.of(ByteBuffer.wrap(header), data), Duration.ZERO);
        return codec.push("POST " + path, response);
    }

    /**
     * Settles a gradient, or requests its outcome.
     *
     * @param pull whether to request the newest parameter set in the same round trip
     */
    PushResult settle(String worker, long sequence, PartPush.As as, boolean pull) throws IOException {
        // The characters of a worker's id need no quoting in a query.
        String path = "%s?worker=%s&sequence=%d&as=%s%s"
                .formatted(
                        Routes.SETTLE_GRADIENT,
                        worker,
                        sequence,
                        as.text(),
                        pull ? "&pull=true" + pulling.query('&') : "");
        return codec.push("POST " + path, exchange.send("POST", path, Map.of(), List.of(), Duration.ZERO));
    }

    /** Returns the staged gradients of one worker, or of all workers that are gone if {@code worker} is empty. */
    List<StagedGradientsReply.Staged> staged(String worker) throws IOException {
        String path = Routes.STAGED_GRADIENTS + (worker.isEmpty() ? "" : "?worker=" + worker);
        return get(path, StagedGradientsReply.class).staged();
    }

    private <T> T get(String path, Class<T> reply) throws IOException {
        return codec.decode("GET " + path, exchange.send("GET", path, ACCEPT_JSON, List.of(), Duration.ZERO), reply);
    }

    private <T> T post(String path, Object message, Class<T> reply) throws IOException {
        return send("POST", path, message, reply);
    }

    private <T> T send(String method, String path, Object message, Class<T> reply) throws IOException {
        List<ByteBuffer> body = List.of(ByteBuffer.wrap(codec.encode(message)));
        return codec.decode(method + " " + path, exchange.send(method, path, JSON, body, Duration.ZERO), reply);
    }
}
