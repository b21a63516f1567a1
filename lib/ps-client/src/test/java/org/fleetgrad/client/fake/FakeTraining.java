package org.fleetgrad.client.fake;

import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.ParameterMessages.PutParameterReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkerMessages.LocalStepsTerms;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TrainableValues;

/** A run in its plainest form: the parameters, the workers, and one step of plain SGD a push. Thread-safe. */
final class FakeTraining {

    private static final Pattern WAIT = Pattern.compile("waitMs=(\\d+)");

    private final float learningRate;
    private final Map<String, Long> workers = new HashMap<>();
    private Optional<TensorSet> parameters = Optional.empty();
    private ParameterVersion version = new ParameterVersion("gen1", 0);
    private Optional<Push> buffered = Optional.empty();
    private FakeWork work = new FakeWork(0);
    private int emptyPolls;
    private long rememberedSequence;
    private double workerMomentum;
    private boolean isEncoding = true;
    private boolean isSynchronous;
    private FreezePatterns freeze = FreezePatterns.NONE;
    private Optional<LocalStepsTerms> localSteps = Optional.empty();

    FakeTraining(float learningRate) {
        this.learningRate = learningRate;
    }

    synchronized TensorSet parameters() {
        return parameters.orElseThrow();
    }

    synchronized String generation() {
        return version.generation();
    }

    synchronized long version() {
        return version.version();
    }

    synchronized List<String> workers() {
        return List.copyOf(workers.keySet());
    }

    synchronized void publish(ParameterVersion next, TensorSet values) {
        version = next;
        parameters = Optional.of(values);
        notifyAll();
    }

    synchronized void remember(long sequence) {
        rememberedSequence = sequence;
    }

    synchronized void askForMomentum(double momentum) {
        workerMomentum = momentum;
    }

    synchronized void knowOnlyFloat32() {
        isEncoding = false;
    }

    synchronized void trainSynchronously() {
        isSynchronous = true;
    }

    synchronized void askForLocalSteps(LocalStepsTerms local) {
        localSteps = Optional.of(local);
    }

    synchronized void freeze(FreezePatterns patterns) {
        freeze = patterns;
    }

    private TrainableValues places() {
        TensorLayout layout = parameters().layout();
        return TrainableValues.of(layout, freeze.in(layout, ParameterState.NONE));
    }

    private FakeResponse newest(URI asked) {
        TensorSet all = parameters();
        TensorSet wanted = all;
        if (String.valueOf(asked.getQuery()).contains("frozen=omit")) {
            TensorLayout layout = places().layout();
            wanted = TensorSet.ofFloats(layout, places().of(all.toFloats(all.layout())), all.metadata());
        }
        return FakeResponse.parameters(wanted, version, asked);
    }

    synchronized void assign(FakeWork other) {
        work = other;
    }

    synchronized void forgetWorkers() {
        workers.clear();
    }

    synchronized void loseEverything() {
        workers.clear();
        parameters = Optional.empty();
        version = new ParameterVersion("gen2", 0);
    }

    /** As if another worker had made a step. */
    synchronized void moveOn() {
        version = new ParameterVersion(version.generation(), version.version() + 1);
        notifyAll();
    }

    /** Ends this many long polls without parameters. */
    synchronized void holdBack(int polls) {
        emptyPolls = polls;
    }

    synchronized void buffer(Push push) {
        buffered = Optional.of(push);
        workers.put(push.metadata().worker(), push.metadata().sequence());
    }

    synchronized FakeResponse register(String id) {
        if (workers.containsKey(id)) {
            return FakeResponse.problem(409, ProblemKind.WORKER_EXISTS.rule(), id + " is registered");
        }
        workers.put(id, rememberedSequence);
        return FakeResponse.json(
                200,
                new RegisterWorkerReply(
                        200,
                        id,
                        30_000,
                        version.generation(),
                        version.version(),
                        rememberedSequence,
                        workerMomentum,
                        isSynchronous,
                        null,
                        null,
                        isEncoding ? Encodings.OF_GRADIENTS : null,
                        isEncoding ? Encodings.OF_PARAMETERS : null,
                        parameters
                                .map(set -> set.metadata().get(MetadataKeys.NETWORK))
                                .orElse(null),
                        freeze.isEmpty() ? null : freeze.toString(),
                        null,
                        localSteps.orElse(null)));
    }

    /** Returns whether there are parameters of this generation. */
    synchronized boolean isOf(String generation) {
        return parameters.isPresent() && version.generation().equals(generation);
    }

    synchronized FakeResponse nextShard() {
        return work.isPut()
                ? FakeResponse.json(200, work.hand())
                : FakeResponse.problem(409, ProblemKind.NO_WORK.rule(), "the run has no work");
    }

    synchronized VersionReply newest(List<PutAccuracyRequest> accuracies) {
        Optional<PutAccuracyRequest> last =
                accuracies.isEmpty() ? Optional.empty() : Optional.of(accuracies.get(accuracies.size() - 1));
        return new VersionReply(
                200,
                version.version(),
                last.map(PutAccuracyRequest::accuracy).orElse(null),
                last.map(PutAccuracyRequest::loss).orElse(null),
                last.map(PutAccuracyRequest::text).orElse(null),
                last.map(PutAccuracyRequest::version).orElse(null),
                version.generation(),
                parameters.isPresent());
    }

    synchronized FakeResponse unregister(String id) {
        return workers.remove(id) == null
                ? FakeResponse.problem(409, ProblemKind.UNKNOWN_WORKER.rule(), id + " is not registered")
                : FakeResponse.json(200, new UnregisterWorkerReply(200, id));
    }

    /** Answers a pull; a long poll waits while the caller knows the newest version. */
    synchronized FakeResponse pull(HttpExchange exchange) throws InterruptedException {
        Matcher longPoll = WAIT.matcher(String.valueOf(exchange.getRequestURI().getQuery()));
        boolean isLongPoll = longPoll.find();
        if (isLongPoll && emptyPolls > 0) {
            emptyPolls--;
            return FakeResponse.notModified();
        }
        buffered.ifPresent(this::apply);
        buffered = Optional.empty();
        String known = exchange.getRequestHeaders().getFirst("If-None-Match");
        long end = System.nanoTime() + (isLongPoll ? Long.parseLong(longPoll.group(1)) * 1_000_000 : 0);
        while (parameters.isPresent() && version.etag().equals(known)) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return FakeResponse.notModified();
            }
            wait(left);
        }
        return parameters.isEmpty()
                ? FakeResponse.problem(404, ProblemKind.NO_PARAMETERS.rule(), "there is no parameter set yet")
                : newest(exchange.getRequestURI());
    }

    synchronized FakeResponse put(TensorSet initial) {
        if (parameters.isPresent()) {
            return FakeResponse.problem(412, ProblemKind.PRECONDITION_FAILED.rule(), "there is a parameter set");
        }
        parameters = Optional.of(initial);
        TensorLayout layout = initial.layout();
        return FakeResponse.json(
                        201,
                        new PutParameterReply(
                                201, version.generation(), version.version(), layout.size(), layout.byteLength()))
                .with("ETag", version.etag());
    }

    /** Applies a push, unless it is a duplicate or unusable, and answers with the newest parameters. */
    synchronized FakeResponse take(Push push) {
        Long last = workers.get(push.metadata().worker());
        if (last == null) {
            return FakeResponse.problem(
                    409, ProblemKind.UNKNOWN_WORKER.rule(), push.metadata().worker() + " is not registered");
        }
        if (parameters.isEmpty()) {
            return FakeResponse.problem(409, ProblemKind.NO_PARAMETERS.rule(), "there is no parameter set yet");
        }
        if (!push.metadata().generation().equals(version.generation())) {
            return FakeResponse.problem(409, ProblemKind.OTHER_GENERATION.rule(), "this is " + version.generation());
        }
        boolean isDuplicate = push.metadata().sequence() <= last;
        if (!isDuplicate && !work.isNext(push.metadata())) {
            return FakeResponse.problem(409, ProblemKind.OTHER_CURSOR.rule(), "the worker is elsewhere");
        }
        if (!isDuplicate) {
            apply(push);
        }
        return newest(push.uri())
                .with(HeaderNames.OUTCOME, isDuplicate ? "duplicate" : "applied")
                .with(HeaderNames.STALENESS, "0");
    }

    /** Makes a step: p = p - lr g, in float32. */
    synchronized void apply(Push push) {
        TensorSet before = parameters();
        float[] values = before.toFloats(before.layout());
        float[] trainable = places().of(values);
        float[] gradient = push.gradient(places().layout());
        for (int i = 0; i < trainable.length; i++) {
            trainable[i] -= learningRate * gradient[i];
        }
        places().putInto(trainable, values);
        parameters = Optional.of(TensorSet.ofFloats(before.layout(), values, before.metadata()));
        workers.put(push.metadata().worker(), push.metadata().sequence());
        push.metadata().cursor().ifPresent(work::advance);
        moveOn();
    }

    synchronized StatusReply status() {
        return new StatusReply(
                200,
                version.generation(),
                version.version(),
                parameters.isPresent(),
                1,
                1,
                isSynchronous ? "sync" : "async",
                isSynchronous,
                "sgd",
                "none",
                "none",
                learningRate,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of(),
                1,
                List.of(),
                null,
                null);
    }
}
