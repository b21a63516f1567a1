package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.SavedModel;

/**
 * A model to export.
 *
 * @param parameters with the metadata of the model
 * @param origin     for people: where they come from, and which version they are
 * @param facts      what is known of the training, by its name
 * @param file       that has them already, if there is one
 * @param run        folder of the run, if it is known
 */
record ExportedModel(
        TensorSet parameters, String origin, Map<String, String> facts, Optional<Path> file, Optional<Path> run) {

    /** Takes a checkpoint, or the best version. */
    static ExportedModel of(Checkpoint checkpoint, boolean isBest, CheckpointPlace place) {
        CheckpointManifest manifest = checkpoint.manifest();
        return new ExportedModel(
                checkpoint.parameters(),
                String.format(
                        Locale.ROOT,
                        "%s, version %,d of generation %s",
                        isBest ? "the best version" : manifest.name(),
                        manifest.version(),
                        manifest.generation()),
                RunFacts.of(manifest.notes()),
                Optional.empty(),
                place.run());
    }

    /** Takes the newest parts of a run with several servers. */
    static ExportedModel of(PartitionedCheckpoints.Joined joined, CheckpointPlace place) {
        List<Long> versions = joined.versions();
        return new ExportedModel(
                joined.parameters(),
                "the parts of %d servers, versions %s".formatted(versions.size(), versions),
                Map.of(),
                Optional.empty(),
                place.run());
    }

    /**
     * Takes the model that a run left in its folder, or a safetensors file.
     *
     * @throws RunFailedException if there is none
     */
    static ExportedModel from(Path path) throws RunFailedException {
        boolean isRun = Files.isDirectory(path);
        Path file = isRun ? SavedModel.file(path) : path;
        if (!Files.isRegularFile(file)) {
            throw RunFailedException.input(
                    isRun
                            ? "%s has no %s: a run leaves it when it ends; --checkpoints %s takes the newest checkpoint"
                                    .formatted(path, file.getFileName(), path)
                            : "there is no file %s".formatted(path));
        }
        TensorSet parameters = read(file);
        String version = ParameterVersion.of(parameters.metadata())
                .map(known -> String.format(
                        Locale.ROOT,
                        "version %,d of generation %s",
                        known.version(),
                        Printable.text(known.generation())))
                .orElse("of no version");
        return new ExportedModel(
                parameters,
                version,
                isRun ? RunFacts.ofReport(path) : Map.of(),
                Optional.of(file),
                isRun ? Optional.of(path) : Optional.empty());
    }

    private static TensorSet read(Path file) throws RunFailedException {
        try {
            return Safetensors.map(file);
        } catch (IllegalArgumentException tooLarge) {
            throw RunFailedException.input(String.valueOf(tooLarge.getMessage()));
        } catch (SafetensorsException malformed) {
            throw RunFailedException.input("%s is not a safetensors file: %s".formatted(file, malformed.getMessage()));
        } catch (IOException unreadable) {
            throw RunFailedException.input("%s cannot be read: %s".formatted(file, unreadable));
        }
    }

    /** Returns the complete name of the network, if the metadata state it. */
    Optional<String> network() {
        return Optional.ofNullable(parameters.metadata().get(MetadataKeys.NETWORK));
    }
}
