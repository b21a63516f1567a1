package org.fleetgrad.cli.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.checkpoints.ListedCheckpoint.Corrupt;
import org.fleetgrad.files.text.Printable;

/** Writes checkpoints as a table, with one line for each; a column is as wide as its widest cell. */
final class CheckpointTable {

    private static final List<String> HEAD =
            List.of("NUMBER", "VERSION", "GENERATION", "AGE", "SAMPLES", "LOSS", "ACCURACY", "HELD-OUT LOSS", "SIZE");

    private CheckpointTable() {}

    /** @param best the version that is kept beside the checkpoints; its row is the first, and has no number */
    static String of(List<ListedCheckpoint> checkpoints, Optional<CheckpointManifest> best, Instant now) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        best.ifPresent(manifest -> rows.add(row("best", manifest, now)));
        for (ListedCheckpoint checkpoint : checkpoints) {
            if (checkpoint instanceof Complete complete) {
                rows.add(row(Long.toString(complete.number()), complete.manifest(), now));
            } else if (checkpoint instanceof Corrupt corrupt) {
                rows.add(List.of(
                        Long.toString(corrupt.number()), "damaged: %s %s".formatted(corrupt.file(), corrupt.reason())));
            }
        }
        int[] widths = new int[HEAD.size()];
        rows.stream().filter(row -> row.size() == HEAD.size()).forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        List<String> lines = rows.stream().map(row -> line(row, widths)).toList();
        return String.join(System.lineSeparator(), lines);
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

    /** Numbers are aligned right, so that they can be compared. */
    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            String padding = " ".repeat(Math.max(0, widths[i] - row.get(i).length()));
            line.append(i == 0 ? "" : "  ").append(row.size() == widths.length || i == 0 ? padding : "");
            line.append(row.get(i));
        }
        return line.toString();
    }
}
