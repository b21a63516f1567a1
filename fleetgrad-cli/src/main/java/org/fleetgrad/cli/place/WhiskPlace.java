package org.fleetgrad.cli.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.invoker.ActivationParameters;
import org.fleetgrad.cli.invoker.Invoker;
import org.fleetgrad.cli.invoker.WhiskInvoker;
import org.fleetgrad.cli.settings.InvokerSettings;
import org.fleetgrad.cli.settings.RunSettings;
import org.fleetgrad.cli.shards.ShardServer;
import org.fleetgrad.client.ServerAddresses;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionLimits;
import org.fleetgrad.openwhisk.NamespaceLimits;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.PutResult;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.Pause;
import org.fleetgrad.openwhisk.pacing.Throttle;

/**
 * Workers are activations of an OpenWhisk action. The server and the shards have an address of this machine that OpenWhisk's
 * containers can reach; the keys are drawn at random for the run.
 */
public final class WhiskPlace implements WorkerPlace {

    /** As for containers: a live activation pushes many times within it, and between activations no worker has a lease. */
    private static final String LEASE = "10s";

    private static final int LOGS_MIB = 10;

    private final InvokerSettings.InOpenWhisk settings;
    private final ActivationRunner runner;
    private final Path folder;
    private final RunKeys keys = RunKeys.draw();
    private Optional<ShardServer> shards = Optional.empty();

    private WhiskPlace(InvokerSettings.InOpenWhisk settings, ActivationRunner runner, Path folder) {
        this.settings = settings;
        this.runner = runner;
        this.folder = folder;
    }

    /**
     * Connects to OpenWhisk and stores the action.
     *
     * @param environment variables with OpenWhisk's address and key
     * @param folder      of the shards
     */
    public static WhiskPlace open(InvokerSettings.InOpenWhisk settings, Map<String, String> environment, Path folder)
            throws IOException, InterruptedException, CommandFailedException {
        OpenWhiskClient client;
        try {
            client = OpenWhiskEnvironment.read(environment).client();
        } catch (IllegalArgumentException incomplete) {
            throw CommandFailedException.input(String.valueOf(incomplete.getMessage()));
        }
        NamespaceLimits limits = client.limits();
        if (!limits.isStoringActivations()) {
            throw CommandFailedException.input(
                    "OpenWhisk keeps no records of this namespace's activations, so their outcomes are unknown; ask its operator for storeActivations");
        }
        store(client, settings);
        RandomGenerator random = new SecureRandom();
        Throttle throttle = new Throttle(limits, Clock.systemUTC(), Pause.real(), random);
        return new WhiskPlace(
                settings, new ActivationRunner(client, throttle, Clock.systemUTC(), Pause.real(), random), folder);
    }

    private static void store(OpenWhiskClient client, InvokerSettings.InOpenWhisk settings)
            throws IOException, InterruptedException, CommandFailedException {
        PutResult stored = client.putAction(ActionDefinition.of(
                settings.action(),
                settings.image(),
                new ActionLimits(settings.limit(), (int) (settings.memoryBytes() >> 20), LOGS_MIB)));
        if (stored instanceof PutResult.Refused refused) {
            throw CommandFailedException.remote("OpenWhisk rejects the action %s with image %s: %d %s"
                    .formatted(settings.action(), settings.image(), refused.status(), refused.message()));
        }
        if (stored instanceof PutResult.Conflict conflict) {
            throw CommandFailedException.remote(
                    "somebody else is changing the action %s: %s; try again, or pass another --action"
                            .formatted(settings.action(), conflict.message()));
        }
    }

    @Override
    public String serverAddress() {
        return settings.serverAddress();
    }

    @Override
    public Optional<RunKeys> keys() {
        return Optional.of(keys);
    }

    @Override
    public Map<String, String> serverDefaults() {
        return Map.of("PS_LEASE", LEASE);
    }

    @Override
    public String shardUrl(Path shard) throws IOException {
        if (shards.isEmpty()) {
            shards = Optional.of(new ShardServer(Files.createDirectories(folder), settings.serverAddress()));
        }
        return shards.get().url(shard.getFileName().toString()).toString();
    }

    @Override
    public List<? extends Invoker> workers(RunSettings run, ServerAddresses servers) {
        Map<String, Object> value =
                ActivationParameters.of(run, servers, Optional.of(keys.worker()), run.shardsAnActivation());
        return IntStream.rangeClosed(1, run.workers())
                .mapToObj(i -> new WhiskInvoker("worker-" + i, runner, settings.action(), settings.limit(), value))
                .toList();
    }

    @Override
    public void close() {
        shards.ifPresent(ShardServer::close);
    }
}
