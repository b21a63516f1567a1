package org.fleetgrad.cli.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.checkpoints.ListedCheckpoint.Corrupt;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.cli.display.TextTable;
import org.fleetgrad.files.text.Printable;

/** Writes checkpoints as a table, with one line for each. */
final class CheckpointTable {

    private static final List<String> HEAD =
            List.of("NUMBER", "VERSION", "GENERATION", "AGE", "SAMPLES", "LOSS", "ACCURACY", "HELD-OUT LOSS", "SIZE");

    private CheckpointTable() {}

    /** @param best the version that is kept beside the checkpoints; its row is the first, and has no number */
    static String of(List<ListedCheckpoint> checkpoints, Optional<CheckpointManifest> best, Instant now) {
        TextTable table = new TextTable(HEAD, Set.of());
        best.ifPresent(manifest -> table.add(row("best", manifest, now)));
        for (ListedCheckpoint checkpoint : checkpoints) {
            if (checkpoint instanceof Complete complete) {
                table.add(row(Long.toString(complete.number()), complete.manifest(), now));
            } else if (checkpoint instanceof Corrupt corrupt) {
                table.add(List.of(
                        Long.toString(corrupt.number()), "damaged: %s %s".formatted(corrupt.file(), corrupt.reason())));
            }
        }
        return table.text();
    }

    private static List<String> row(String name, CheckpointManifest manifest, Instant now) {
        return List.of(
                name,
                String.format(Locale.ROOT, "%,d", manifest.version()),
                Printable.text(manifest.generation()),
                Amounts.age(Duration.between(manifest.written(), now)),
                note(manifest, "samples"),
                note(manifest, "loss"),
                note(manifest, "accuracy"),
                note(manifest, "heldOutLoss"),
                Amounts.bytes(manifest.bytes()));
    }

    private static String note(CheckpointManifest manifest, String name) {
        return Printable.text(manifest.notes().getOrDefault(name, "-"));
    }
}
