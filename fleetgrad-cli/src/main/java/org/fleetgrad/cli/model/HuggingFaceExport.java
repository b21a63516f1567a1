package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.huggingface.HuggingFaceNetwork;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.SavedModel;

/** Writes a folder that {@code from_pretrained} opens: complete, or not at all. */
final class HuggingFaceExport {

    private HuggingFaceExport() {}

    /**
     * Writes the folder, which must not be there.
     *
     * @throws RunFailedException if transformers do not have the network, or the folder cannot be written
     */
    static void write(ExportedModel model, Path out, String card) throws RunFailedException {
        requireKnown(model);
        Path half = out.toAbsolutePath().resolveSibling("." + out.getFileName() + ".half");
        try {
            FolderTree.delete(half);
            Files.createDirectories(half);
            SavedModel.write(model.parameters(), RunTokenizer.of(model.run()), half);
            ModelFiles.write(half.resolve("README.md"), card);
            Files.move(half, out);
        } catch (IOException | IllegalArgumentException failed) {
            throw RunFailedException.input("%s cannot be written: %s".formatted(out, failed.getMessage()));
        } finally {
            try {
                FolderTree.delete(half);
            } catch (IOException stays) {
                // What failed before says why.
            }
        }
    }

    private static void requireKnown(ExportedModel model) throws RunFailedException {
        String network = model.network().orElse("");
        boolean isKnown;
        try {
            isKnown = !network.isEmpty() && HuggingFaceNetwork.isFor(NetworkName.parse(network));
        } catch (IllegalArgumentException malformed) {
            throw RunFailedException.input("the network of the model: " + malformed.getMessage());
        }
        if (!isKnown) {
            throw RunFailedException.input(
                    "transformers have no form of %s; those that have one are %s: --to onnx takes every network"
                            .formatted(
                                    network.isEmpty() ? "a model that states no network" : network(network),
                                    String.join(", ", HuggingFaceNetwork.NAMES)));
        }
    }

    private static String network(String complete) {
        return "the network '%s'".formatted(NetworkName.parse(complete).base());
    }
}
