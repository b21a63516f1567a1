package org.fleetgrad.checkpoints;

import java.util.Map;
import java.util.Set;

/** The notes of a checkpoint that programs read; all others are for people. */
public final class CheckpointNotes {

    /** The run's mode: {@code async}, {@code sync}, {@code backup} or {@code ssp}. */
    public static final String MODE = "mode";

    /** Whether the run accepted gradients on the newest version only: {@code true} or {@code false}. */
    public static final String SYNCHRONOUS = "synchronous";

    /** Modes that are synchronous; for checkpoints that are older than the note. */
    private static final Set<String> SYNCHRONOUS_MODES = Set.of("sync", "backup");

    private CheckpointNotes() {}

    /** Returns whether the run was synchronous: then version v of all its servers holds the same gradients. */
    public static boolean isSynchronous(CheckpointManifest manifest) {
        Map<String, String> notes = manifest.notes();
        return notes.containsKey(SYNCHRONOUS)
                ? Boolean.parseBoolean(notes.get(SYNCHRONOUS))
                : SYNCHRONOUS_MODES.contains(notes.getOrDefault(MODE, ""));
    }
}
