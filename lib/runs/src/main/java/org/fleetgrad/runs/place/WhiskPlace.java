package org.fleetgrad.runs.place;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.files.time.SteadyClock;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.openwhisk.ActionDefinition.ActionCode;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActionPutResult;
import org.fleetgrad.openwhisk.NamespaceLimits;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;
import org.fleetgrad.openwhisk.OpenWhiskException;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.PoolWidth;
import org.fleetgrad.openwhisk.pacing.Throttle;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.ActivationParameters;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.invoker.WhiskInvoker;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.InvokerSettings.ActionKind;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.shards.ShardServer;

/**
 * Workers are activations of an OpenWhisk action. The server and the shards have an address of this machine that OpenWhisk's
 * containers can reach; the keys are generated for the run.
 */
public final class WhiskPlace implements WorkerPlace {

    private static final int LOGS_MIB = 10;
    private static final String JAR = "worker-action-openwhisk.jar";
    private static final String MAIN = "org.fleetgrad.worker.openwhisk.Main";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final InvokerSettings.InOpenWhisk settings;
    private final ActivationRunner runner;
    private final PoolWidth pool;
    private final Map<String, String> underWay = new ConcurrentHashMap<>();
    private final Aftermath aftermath;
    private final Path folder;
    private final RunKeys keys = RunKeys.draw();
    private Optional<ShardServer> shards = Optional.empty();

    private WhiskPlace(InvokerSettings.InOpenWhisk settings, ActivationRunner runner, PoolWidth pool, Path folder) {
        this.settings = settings;
        this.runner = runner;
        this.pool = pool;
        this.folder = folder;
        // The terminal no longer prints when this runs.
        this.aftermath = new Aftermath(
                () -> List.copyOf(underWay.values()),
                activation -> runner.late(activation).isPresent(),
                settings.limit(),
                line -> System.err.println(line));
    }

    /**
     * Connects to OpenWhisk and stores the action.
     *
     * @param environment variables with OpenWhisk's address and key
     * @param home        the checkout, which has the worker's jar
     * @param folder      of the shards
     * @param teller      receives a line when OpenWhisk's limits delay the run
     */
    public static WhiskPlace open(
            InvokerSettings.InOpenWhisk settings,
            Map<String, String> environment,
            Path home,
            Path folder,
            Consumer<String> teller)
            throws IOException, InterruptedException, RunFailedException {
        OpenWhiskEnvironment whisk;
        OpenWhiskClient client;
        try {
            whisk = OpenWhiskEnvironment.read(environment);
            client = whisk.client();
        } catch (IllegalArgumentException incomplete) {
            throw RunFailedException.input(String.valueOf(incomplete.getMessage()));
        }
        ServerAddress.require(settings.serverAddress());
        warnings(whisk.host().base(), settings.serverAddress()).forEach(teller);
        try {
            return open(settings, definition(settings, home), client, folder, teller);
        } catch (OpenWhiskException failed) {
            throw explained(failed);
        }
    }

    /**
     * Returns what can be read on the way. A standalone OpenWhisk listens on Docker's bridge, and so does the run's server, whose keys
     * end with the run.
     */
    static List<String> warnings(URI whisk, String serverAddress) {
        return Stream.of(
                        Credentials.clearTextWarning("the key of OpenWhisk, and the keys of this run,", whisk),
                        Credentials.clearTextWarning(
                                "the keys of this run, which end with it,",
                                URI.create("http://" + literal(serverAddress))))
                .flatMap(Optional::stream)
                .map(warning -> "warning: " + warning)
                .toList();
    }

    private static String literal(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    /** Explains in one sentence what to change: a wrong key is the caller's fault, everything else the controller's. */
    private static RunFailedException explained(OpenWhiskException failed) {
        boolean isKey =
                failed.status().orElse(0) == UNAUTHORIZED || failed.status().orElse(0) == FORBIDDEN;
        String message = "OpenWhisk cannot be used: %s".formatted(failed.getMessage());
        return isKey
                ? RunFailedException.input("%s; check the key in %s".formatted(message, OpenWhiskEnvironment.AUTH))
                : RunFailedException.remote(message);
    }

    private static WhiskPlace open(
            InvokerSettings.InOpenWhisk settings,
            ActionDefinition action,
            OpenWhiskClient client,
            Path folder,
            Consumer<String> teller)
            throws IOException, InterruptedException, RunFailedException {
        NamespaceLimits limits = client.limits();
        if (!limits.isStoringActivations()) {
            throw RunFailedException.input(
                    "OpenWhisk keeps no records of this namespace's activations, so their outcomes are unknown; ask its operator for storeActivations");
        }
        store(client, action);
        RandomGenerator random = new SecureRandom();
        Clock clock = SteadyClock.system();
        Throttle throttle = new Throttle(limits, clock, Sleeper.THREAD, random, teller);
        WhiskPlace place = new WhiskPlace(
                settings,
                new ActivationRunner(client, throttle, clock, Sleeper.THREAD, random),
                new PoolWidth(clock, teller),
                folder);
        Runtime.getRuntime().addShutdownHook(new Thread(place.aftermath, "aftermath"));
        return place;
    }

    private static ActionDefinition definition(InvokerSettings.InOpenWhisk settings, Path home)
            throws IOException, RunFailedException {
        ActionDefinition action = ActionDefinition.of(
                settings.action(),
                settings.image(),
                new ActionLimits(settings.limit(), (int) (settings.memoryBytes() >> 20), LOGS_MIB));
        if (settings.kind() == ActionKind.DOCKER) {
            return action;
        }
        Path jar = Program.WORKER_ACTION.jar(home).resolveSibling(JAR);
        if (!Files.isRegularFile(jar)) {
            throw RunFailedException.input(
                    "the action's jar is missing: %s; docker/build java-runtime makes it".formatted(jar));
        }
        return action.with(ActionCode.read(jar, MAIN));
    }

    private static void store(OpenWhiskClient client, ActionDefinition action)
            throws IOException, InterruptedException, RunFailedException {
        ActionPutResult stored = client.putAction(action);
        if (stored instanceof ActionPutResult.Refused refused) {
            throw RunFailedException.remote("OpenWhisk rejects the action %s with image %s: %d %s"
                    .formatted(action.name(), action.image(), refused.status(), refused.message()));
        }
        if (stored instanceof ActionPutResult.Conflict conflict) {
            throw RunFailedException.remote(
                    "another client is changing the action %s: %s; try again, or pass another --action"
                            .formatted(action.name(), conflict.message()));
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
    public String shardUrl(Path shard) throws IOException {
        if (shards.isEmpty()) {
            shards = Optional.of(new ShardServer(Files.createDirectories(folder), settings.serverAddress()));
        }
        return shards.get().url(shard.getFileName().toString()).toString();
    }

    @Override
    public List<? extends Invoker> workers(RunSettings run, ServerAddresses servers) {
        aftermath.standInFor(servers);
        Map<String, Object> value =
                ActivationParameters.of(run, servers, Optional.of(keys.worker()), run.shardsAnActivation());
        return IntStream.rangeClosed(1, run.workers())
                .mapToObj(i -> new WhiskInvoker("worker-" + i, runner, pool, underWay, settings, value))
                .toList();
    }

    @Override
    public void close() {
        shards.ifPresent(ShardServer::close);
    }
}
