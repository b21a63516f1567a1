package org.fleetgrad.worker.action;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.worker.colocated.Colocated;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.TimeBudget;
import org.fleetgrad.worker.training.TrainingFailedException;
import org.fleetgrad.worker.training.TrainingReport;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Identity;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.fleetgrad.worker.training.WarmState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs activations one after the other, and caches the loaded network between them. Not thread-safe. */
public final class Activations implements AutoCloseable {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final ShardSource shards = new ShardSource(ShardLimits.DEFAULT);
    private final BooleanSupplier stop;
    private final Supplier<Map<String, String>> environment;
    private final Supplier<ClientOptions> options;
    private final TimeBudget budget;
    private final WarmState warmState = new WarmState();
    private final Optional<Colocated> serving;
    private @Nullable Warm warm;

    /** The network of the last activation. */
    private record Warm(String device, Network network) {}

    /**
     * Prepares to run activations; nothing is loaded yet.
     *
     * @param stop        polled between batches: whether the container is being stopped
     * @param environment read at each run: the keys, if the run has none, and the certificates to trust
     * @param clock       tells how far away a deadline is
     * @param options     read at each run: how long its calls are retried
     * @param serving     answers predictions with the networks being trained, if the worker serves
     */
    public Activations(
            BooleanSupplier stop,
            Supplier<Map<String, String>> environment,
            Clock clock,
            Supplier<ClientOptions> options,
            Optional<Colocated> serving) {
        this.stop = stop;
        this.serving = serving;
        this.environment = environment;
        this.options = options;
        this.budget = new TimeBudget(clock);
    }

    /** Runs one activation. Expected failures are values; an exception is a bug, or a full heap. */
    public ActionResult run(JsonNode body) {
        long begin = System.nanoTime();
        try (ProcessMemory memory = ProcessMemory.watch()) {
            // Before libtorch is loaded: Linux would kill the container without a message.
            ContainerMemory.here().requireWorker();
            RunParameters parameters = RunParameters.parse(body);
            boolean isWarm = warm != null;
            Device device = Device.parse(parameters.device());
            Libtorch.require(device);
            ParameterServers client = client(parameters);
            serving.ifPresent(place -> place.follow(client.lead()));
            TrainingReport report;
            try {
                report = train(
                        parameters,
                        new Tools(client, definition -> warmed(definition, device), shards, budget, warmState, stop));
            } finally {
                // The next activation has a client of its own, and a warm container runs thousands.
                client.closeIdle();
            }
            Map<String, Object> answer = answer(report, parameters.transfer(), isWarm, System.nanoTime() - begin);
            memory.largestMebibytes().ifPresent(peak -> answer.put("peak_memory_mib", peak));
            return new ActionResult.Success(answer);
        } catch (IllegalArgumentException | ShardUnavailableException | TrainingFailedException | IOException failed) {
            return new ActionResult.ApplicationError(code(failed), String.valueOf(failed.getMessage()));
        }
    }

    private static int code(Exception failed) {
        if (failed instanceof IllegalArgumentException) {
            return 400;
        }
        if (failed instanceof SSLPeerUnverifiedException) {
            return 403;
        }
        if (failed instanceof ShardUnavailableException unavailable && !unavailable.isDamaged()) {
            return 404;
        }
        if (failed instanceof ProblemException refused) {
            // Keys: the caller can correct them. Work: someone must put it first. The rest is the server's problem.
            int status = refused.problem().status();
            boolean isNoWork = refused.problem().is(ProblemKind.NO_WORK);
            return isNoWork ? 409 : status == 401 || status == 403 ? status : 504;
        }
        return failed instanceof IOException ? 504 : 422;
    }

    private TrainingReport train(RunParameters parameters, Tools tools)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        TrainingTask task = task(parameters);
        Optional<String> shard = parameters.datasetUrl();
        if (shard.isPresent()) {
            return task.runShard(tools, shard.get(), parameters.epochs(), parameters.firstEpoch());
        }
        // Retried while the server has no work: who starts workers on the upload of a dataset may submit it a little
        // later.
        long begin = System.nanoTime();
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, 2);
        while (true) {
            try {
                return task.runQueue(tools, parameters.shardLimit());
            } catch (ProblemException refused) {
                boolean isLate = System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(parameters.workWait());
                if (!refused.problem().is(ProblemKind.NO_WORK) || isLate) {
                    throw refused;
                }
                sleep(backoff.next());
                if (stop.getAsBoolean() || !budget.hasTimeForAShard(parameters.deadline())) {
                    throw refused;
                }
            }
        }
    }

    private static void sleep(Duration pause) throws InterruptedIOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the server has no work");
        }
    }

    /** Reads the environment again at each run: files with keys may change while the container runs. */
    private ParameterServers client(RunParameters parameters) {
        ClientOptions read = options.get().withEnvironment(environment.get());
        return ParameterServers.of(
                parameters.servers(),
                parameters.credentials().map(read::withCredentials).orElse(read));
    }

    private TrainingTask task(RunParameters parameters) {
        // People see the description in the server's list of workers; the id leads them to the log in OpenWhisk.
        String what =
                "worker-action, batches of %d".formatted(parameters.learning().batchSize());
        Optional<String> activation = Optional.ofNullable(environment.get().get("__OW_ACTIVATION_ID"));
        return new TrainingTask(
                parameters.learning(),
                parameters.network(),
                new Identity(
                        parameters.worker(),
                        activation
                                .map(id -> "%s, activation %s".formatted(what, id))
                                .orElse(what),
                        parameters.device(),
                        parameters.deadline(),
                        activation,
                        serving.map(Colocated::address)),
                parameters.transfer());
    }

    private Network warmed(NetworkDefinition definition, Device device) {
        Warm last = warm;
        if (last != null
                && last.network().spec().equals(definition.spec())
                && last.device().equals(device.toString())) {
            // A gradient that an aborted activation left in the network must not reach this one's first push.
            last.network().discardGradient();
            return last.network();
        }
        close();
        ContainerMemory.here().requireFits(definition.spec());
        budget.forget();
        Network trained = Libtorch.open(definition, device);
        Network opened = serving.map(place -> place.serving(trained)).orElse(trained);
        warm = new Warm(device.toString(), opened);
        return opened;
    }

    private static Map<String, Object> answer(TrainingReport report, Transfer transfer, boolean isWarm, long nanos) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("code", 200);
        answer.put("avg_loss", report.avgLoss());
        answer.put("completed", report.completed());
        answer.put("epochs", report.epochs());
        answer.put("work", report.work());
        report.cursor().ifPresent(cursor -> answer.put("cursor", cursor.toString()));
        answer.put("samples", report.samples());
        answer.put("counted", report.counted());
        answer.put("steps", report.steps());
        answer.put("pushes", report.pushes());
        answer.put("stale", report.stale());
        answer.put("duplicates", report.duplicates());
        if (report.lostParts() > 0) {
            answer.put("lost_parts", report.lostParts());
        }
        answer.put("bytes", report.bytes());
        answer.put("encoding", transfer.gradients().text());
        answer.put("pull_encoding", transfer.parameters().text());
        answer.put("overlap", transfer.isOverlapping());
        answer.put("version", report.version());
        answer.put("worker", report.worker());
        answer.put("warm", isWarm);
        answer.put("seconds", nanos / 1e9);
        answer.put("compute_seconds", report.spent().computeNanos() / 1e9);
        answer.put("exchange_seconds", report.spent().exchangeNanos() / 1e9);
        answer.put("data_seconds", report.spent().dataNanos() / 1e9);
        report.earlier().ifPresent(earlier -> answer.put("earlier_seconds", earlier.toMillis() / 1e3));
        return answer;
    }

    @Override
    public void close() {
        if (warm != null) {
            warm.network().close();
            warm = null;
        }
    }
}
