package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;

/**
 * The settings of a run's parameter server.
 *
 * @param mode          when gradients become a step
 * @param staleness     how stale gradients are treated
 * @param largestNorm   a gradient of a larger norm is rejected; 0 for no limit
 * @param durability    what the server persists
 * @param startingPoint what the run begins with
 * @param servers       number of servers; each holds a partition of the parameters, a single one all of them
 * @param checkpoints   how often it takes a checkpoint
 * @param lease         a worker without a call for this time counts as gone; if it is absent, ps-service's default
 */
public record ServerSettings(
        TrainingMode mode,
        StalenessRule staleness,
        double largestNorm,
        DurabilityMode durability,
        StartingPoint startingPoint,
        int servers,
        CheckpointPace checkpoints,
        Optional<Duration> lease) {

    /** The modes in which a run's parameter server persists its state; the names are ps-service's. */
    public enum DurabilityMode {
        NONE,
        CHECKPOINT,
        JOURNAL;

        /** Returns the mode as ps-service's setting has it. */
        public String setting() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The rule of a run whose gradients are stale, if the user names none (ADR 27). */
    public static final StalenessRule STALE_RULE = new StalenessRule.LookAhead();

    /** The largest norm of a gradient in a run whose gradients are stale, if the user names none (ADR 27). */
    public static final double STALE_CLIP_NORM = 2;

    /** Versions that ps-service retains for a rule that needs them; its default. */
    private static final int HISTORY = 32;

    /** The array that takes the best evaluated version grows by copies. */
    private static final int OF_BEST = 2;

    /** The settings of a single server. */
    public ServerSettings(
            TrainingMode mode, StalenessRule staleness, DurabilityMode durability, Optional<Duration> lease) {
        this(mode, staleness, 0, durability, new StartingPoint.Seeded(), 1, CheckpointPace.DEFAULT, lease);
    }

    /** The settings of a run without options. */
    public static final ServerSettings DEFAULT = new ServerSettings(
            new TrainingMode.Async(1), new StalenessRule.None(), DurabilityMode.CHECKPOINT, Optional.empty());

    /**
     * Returns how many parameter sets a server stores by these settings, in addition to those of every server: earlier
     * versions, the rule's arrays and the waiting gradients of the workers, the copies of all these for a checkpoint, and the best
     * version on its way.
     */
    public int moreCopies(int workers) {
        int kept = staleness.needsBase() ? HISTORY : 0;
        int ofEach = (staleness.needsArrayOfWorker() ? 1 : 0)
                + (mode.aggregation().needsEach() ? 1 : 0)
                + (servers > 1 ? 1 : 0);
        return (kept + workers * ofEach) * (isKeeping() ? 2 : 1) + (isKeeping() ? OF_BEST : 0);
    }

    /** Returns the settings for a single worker: asynchronous, since it has no other worker to wait for. */
    ServerSettings ofOneWorker() {
        return new ServerSettings(
                new TrainingMode.Async(1),
                new StalenessRule.None(),
                0,
                durability,
                startingPoint,
                1,
                checkpoints,
                Optional.empty());
    }

    /**
     * Returns the largest norm of a worker's gradient in a run that names none; 0 for no limit. A few stale gradients of
     * large norm make a run diverge (ADR 27).
     */
    public double defaultClipNorm(int workers) {
        return mode.isSynchronous() || workers == 1 ? 0 : STALE_CLIP_NORM;
    }

    /** Returns whether a restarted server continues from the state that its predecessor persisted. */
    public boolean isKeeping() {
        return durability != DurabilityMode.NONE;
    }

    /**
     * Returns ps-service's settings as environment variables.
     *
     * @param folder       for the checkpoints
     * @param resumeSource the value of {@code ps.resume-from}
     */
    public Map<String, String> environment(Path folder, Optional<String> resumeSource) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("PS_MODE", mode.toString());
        if (mode.aggregation().needsEach()) {
            variables.put("PS_AGGREGATION", mode.aggregation().toString());
        }
        variables.put("PS_STALENESS", staleness.toString());
        if (largestNorm > 0) {
            variables.put("PS_MAXGRADIENTNORM", Double.toString(largestNorm));
        }
        variables.put("PS_DURABILITY_MODE", durability.setting());
        if (isKeeping()) {
            variables.put("PS_DURABILITY_LOCATION", folder.toString());
            variables.putAll(checkpoints.environment());
        }
        resumeSource.ifPresent(source -> variables.put("PS_RESUMEFROM", source));
        lease.ifPresent(time -> variables.put("PS_LEASE", time.toMillis() + "ms"));
        return variables;
    }
}
