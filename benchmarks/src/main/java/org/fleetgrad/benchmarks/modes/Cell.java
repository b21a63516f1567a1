package org.fleetgrad.benchmarks.modes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.runs.settings.ServerSettings;

/** One row of the table: a number of concurrent activations, under a training mode and a staleness rule. */
record Cell(Mode mode, String rule, int workers, boolean isKilling) {

    private static final String NO_RULE = "none";

    /** Number of pieces of the dataset; each is the work of one activation in an epoch. */
    static final int SHARDS = 20;

    /** Share of the activations that are killed, in cells with kills. */
    static final double KILL_SHARE = 0.3;

    /**
     * What the command line sets; results of different plans cannot be compared.
     *
     * @param seed   seed of the initial parameters, the order of the samples and the kills
     * @param repeat runs of each cell; medians are shown
     */
    record Plan(int epochs, int seed, int repeat) {}

    /** The training modes, each with the staleness rules that matter in it. */
    enum Mode {
        SYNC,
        BACKUP,
        SSP,
        ASYNC,
        /** Asynchronous, as {@code fleetgrad train} does it unless told otherwise. */
        DEFAULTS;

        private List<String> rules() {
            return switch (this) {
                case ASYNC ->
                    List.of(
                            NO_RULE,
                            "damped",
                            "delay-compensated",
                            "adaptive-delay-compensated",
                            "gap-aware",
                            "look-ahead",
                            "look-ahead-slim");
                case SSP -> List.of(NO_RULE, "gap-aware");
                case DEFAULTS -> List.of(ServerSettings.STALE_RULE.toString());
                case SYNC, BACKUP -> List.of(NO_RULE);
            };
        }

        private Map<String, String> settings() {
            return switch (this) {
                case BACKUP -> Map.of("PS_MODE", "sync:backup-workers=1");
                case SSP -> Map.of("PS_MODE", "ssp:max-lead=3");
                case SYNC, ASYNC -> Map.of("PS_MODE", label());
                case DEFAULTS -> Map.of("PS_MODE", "async");
            };
        }

        private List<Integer> workers() {
            return this == DEFAULTS ? List.of(2, 4, 8, 16) : List.of(2, 4, 8);
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            for (String rule : mode.rules()) {
                for (int workers : mode.workers()) {
                    cells.add(new Cell(mode, rule, workers, false));
                    cells.add(new Cell(mode, rule, workers, true));
                }
            }
        }
        return List.copyOf(cells);
    }

    /** Returns the name, such as {@code async/gap-aware/8/kills}, or {@code .../calm} if no worker is killed. */
    String name() {
        return "%s/%s/%d/%s".formatted(mode.label(), rule, workers, isKilling ? "kills" : "calm");
    }

    /** Returns whether the name begins with the parts of {@code pattern}; {@code *} stands for any part. */
    boolean matches(String pattern) {
        String[] wanted = pattern.split("/");
        String[] own = name().split("/");
        if (wanted.length > own.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (!wanted[i].equals("*") && !wanted[i].equals(own[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns additional parameters of a worker's activation. */
    Map<String, Object> parameters() {
        return mode == Mode.DEFAULTS ? Map.of("clip_norm", ServerSettings.STALE_CLIP_NORM) : Map.of();
    }

    /** Returns ps-service's settings as environment variables. The lease of a killed worker expires soon. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(mode.settings());
        settings.put("PS_STALENESS", rule);
        settings.put("PS_LEASE", "1000ms");
        settings.put("PS_DURABILITY_MODE", "none");
        settings.put("PS_LEARNINGRATE", "0.01");
        settings.put("PS_OPTIMIZER", "sgd:momentum=0.9");
        return settings;
    }
}
