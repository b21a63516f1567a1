package org.fleetgrad.cli.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.CheckpointManifest.FileDigest;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Describes a checkpoint in lines of text. */
final class CheckpointText {

    private CheckpointText() {}

    static String of(String title, Checkpoint checkpoint, Instant now) {
        CheckpointManifest manifest = checkpoint.manifest();
        List<String> lines = new ArrayList<>();
        lines.add(title + ": verified");
        lines.add(String.format(
                Locale.ROOT,
                "version %,d of generation %s, written %s (%s ago)",
                manifest.version(),
                Printable.text(manifest.generation()),
                manifest.written(),
                Amounts.age(Duration.between(manifest.written(), now))));
        for (Map.Entry<String, String> note : manifest.notes().entrySet()) {
            lines.add("%s: %s".formatted(Printable.text(note.getKey()), Printable.text(note.getValue())));
        }
        lines.add("files:");
        for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
            lines.add("  %s, %s, SHA-256 %s"
                    .formatted(
                            file.getKey(),
                            Amounts.bytes(file.getValue().bytes()),
                            file.getValue().sha256()));
        }
        TensorLayout layout = checkpoint.parameters().layout();
        lines.add(
                String.format(Locale.ROOT, "parameters: %d tensors, %,d values", layout.size(), layout.elementCount()));
        for (TensorSpec tensor : layout.specs()) {
            lines.add("  %s %s %s".formatted(Printable.text(tensor.name()), tensor.dtype(), tensor.shape()));
        }
        return String.join(System.lineSeparator(), lines);
    }
}
