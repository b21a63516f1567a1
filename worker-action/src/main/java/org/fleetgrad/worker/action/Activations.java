package org.fleetgrad.worker.action;

import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.worker.colocated.Colocated;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.CachedChannel;
import org.fleetgrad.worker.training.TimeBudget;
import org.fleetgrad.worker.training.TrainingFailedException;
import org.fleetgrad.worker.training.TrainingReport;
import org.fleetgrad.worker.training.TrainingTask;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs activations one after the other, and caches the loaded network between them. Not thread-safe. */
public final class Activations implements AutoCloseable {

    private final ShardSource shards = new ShardSource(ShardLimits.DEFAULT);
    private final BooleanSupplier stop;
    private final Supplier<Map<String, String>> environment;
    private final Supplier<ClientOptions> options;
    private final TimeBudget budget;
    private final CachedChannel channel = new CachedChannel();
    private final Optional<Colocated> serving;
    private @Nullable Warm warm;

    /** The network of the last activation. */
    private record Warm(String device, Network network) {}

    /** Prepares to run activations with {@link ClientOptions#DEFAULT}. */
    Activations(BooleanSupplier stop, Supplier<Map<String, String>> environment, Clock clock) {
        this(stop, environment, clock, () -> ClientOptions.DEFAULT, Optional.empty());
    }

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
            TrainingReport report = train(
                    parameters,
                    new Tools(
                            client,
                            definition -> warmed(definition, device),
                            shards,
                            budget,
                            channel,
                            stop,
                            serving.map(Colocated::address)));
            Map<String, Object> answer = answer(report, parameters.transfer(), isWarm, System.nanoTime() - begin);
            memory.largestMebibytes().ifPresent(peak -> answer.put("peak_memory_mib", peak));
            return new ActionResult.Success(answer);
        } catch (IllegalArgumentException invalid) {
            return new ActionResult.ApplicationError(400, String.valueOf(invalid.getMessage()));
        } catch (ShardUnavailableException unavailable) {
            return new ActionResult.ApplicationError(
                    unavailable.isDamaged() ? 422 : 404, String.valueOf(unavailable.getMessage()));
        } catch (TrainingFailedException failed) {
            return new ActionResult.ApplicationError(422, String.valueOf(failed.getMessage()));
        } catch (ProblemException refused) {
            return new ActionResult.ApplicationError(code(refused), String.valueOf(refused.getMessage()));
        } catch (SSLPeerUnverifiedException untrusted) {
            return new ActionResult.ApplicationError(403, String.valueOf(untrusted.getMessage()));
        } catch (IOException away) {
            return new ActionResult.ApplicationError(504, String.valueOf(away.getMessage()));
        }
    }

    private TrainingReport train(RunParameters parameters, Tools tools)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        TrainingTask task = task(parameters);
        Optional<String> shard = parameters.datasetUrl();
        return shard.isPresent()
                ? task.runShard(tools, shard.get(), parameters.epochs(), parameters.firstEpoch())
                : new WorkWait(
                                parameters.workWait(),
                                () -> !stop.getAsBoolean() && budget.hasTimeForAShard(parameters.deadline()))
                        .run(() -> task.runQueue(tools, parameters.shardLimit()));
    }

    /** Reads the environment again at each run: files with keys may change while the container runs. */
    private ParameterServers client(RunParameters parameters) {
        ClientOptions read = options.get().withEnvironment(environment.get());
        return ParameterServers.of(
                parameters.servers(),
                parameters.credentials().map(read::withCredentials).orElse(read));
    }

    /**
     * Wrong keys: the caller can correct them. No work: someone must put it first. Any other refusal is the server's
     * problem.
     */
    private static int code(ProblemException refused) {
        int status = refused.problem().status();
        if (refused.problem().rule().equals(ProblemRules.NO_WORK)) {
            return 409;
        }
        return status == 401 || status == 403 ? status : 504;
    }

    private TrainingTask task(RunParameters parameters) {
        return new TrainingTask(
                parameters.learning(),
                parameters.network(),
                parameters.worker(),
                description(parameters),
                parameters.device(),
                parameters.deadline(),
                activation(),
                parameters.transfer());
    }

    /**
     * The description that people see in the server's list of workers; with the activation's id they find the log in
     * OpenWhisk.
     */
    private String description(RunParameters parameters) {
        String what =
                "worker-action, batches of %d".formatted(parameters.learning().batchSize());
        return activation()
                .map(activation -> "%s, activation %s".formatted(what, activation))
                .orElse(what);
    }

    private Optional<String> activation() {
        return Optional.ofNullable(environment.get().get("__OW_ACTIVATION_ID"));
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
