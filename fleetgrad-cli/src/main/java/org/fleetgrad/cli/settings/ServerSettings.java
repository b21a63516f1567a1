package org.fleetgrad.cli.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What a user asked of a run's parameter server.
 *
 * @param mode          when gradients become a step
 * @param backupWorkers sync: live workers that a step does not wait for
 * @param maxStaleness  ssp: iterations that a worker may be ahead of the slowest; ps-service's default where it is absent
 * @param staleness     what is done about stale gradients
 * @param durability    what outlives the server
 * @param resume        what the run begins from: a run's folder, checkpoints, or a safetensors file
 * @param servers       how many have a partition of the parameters each; 1 for one that has all
 * @param lease         time from a worker's call until it counts as gone; ps-service's default where it is absent
 */
public record ServerSettings(
        Mode mode,
        int backupWorkers,
        OptionalInt maxStaleness,
        Staleness staleness,
        DurabilityMode durability,
        Optional<String> resume,
        int servers,
        Optional<Duration> lease) {

    /** Of one server. */
    public ServerSettings(
            Mode mode,
            int backupWorkers,
            OptionalInt maxStaleness,
            Staleness staleness,
            DurabilityMode durability,
            Optional<String> resume,
            Optional<Duration> lease) {
        this(mode, backupWorkers, maxStaleness, staleness, durability, resume, 1, lease);
    }

    /** What is asked where nothing is said. */
    public static final ServerSettings DEFAULT = new ServerSettings(
            Mode.ASYNC,
            0,
            OptionalInt.empty(),
            Staleness.NONE,
            DurabilityMode.CHECKPOINT,
            Optional.empty(),
            Optional.empty());

    /** Returns what a single worker wants: nobody is late, and nobody waits. */
    ServerSettings ofOneWorker() {
        return new ServerSettings(
                Mode.ASYNC, 0, OptionalInt.empty(), Staleness.NONE, durability, resume, Optional.empty());
    }

    /** A run on one machine is over in minutes: a minute between two checkpoints would lose most of it. */
    private static final String CHECKPOINT_INTERVAL = "10s";

    /** Tells whether a server that was started again goes on from where the one before was. */
    public boolean isKeeping() {
        return durability != DurabilityMode.NONE;
    }

    /**
     * Returns ps-service's settings as environment variables.
     *
     * @param checkpoints  folder for the checkpoints
     * @param resumeSource what {@link #resume} came to, as ps-service wants it
     */
    public Map<String, String> environment(Path checkpoints, Optional<String> resumeSource) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("PS_MODE", mode.setting());
        if (backupWorkers > 0) {
            variables.put("PS_BACKUPWORKERS", Integer.toString(backupWorkers));
        }
        maxStaleness.ifPresent(most -> variables.put("PS_MAXSTALENESS", Integer.toString(most)));
        variables.put("PS_STALENESS_RULE", staleness.setting());
        variables.put("PS_DURABILITY_MODE", durability.setting());
        if (isKeeping()) {
            variables.put("PS_DURABILITY_LOCATION", checkpoints.toString());
            variables.put("PS_DURABILITY_CHECKPOINTINTERVAL", CHECKPOINT_INTERVAL);
        }
        resumeSource.ifPresent(source -> variables.put("PS_RESUMEFROM", source));
        lease.ifPresent(time -> variables.put("PS_LEASE", time.toMillis() + "ms"));
        return variables;
    }
}
