package org.fleetgrad.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.StartingPoint;

/** The network of a run, checked against its dataset before any program starts. */
final class RunNetwork {

    private static final String SAFETENSORS = ".safetensors";

    /** A checkpoint's file of the optimizer's state, which is larger than the parameters. */
    private static final String STATE = "state.safetensors";

    private RunNetwork() {}

    /**
     * Returns the bytes of the network's parameter set.
     *
     * @param dataset its name
     * @param task    that it poses
     * @throws RunFailedException if the network does not fit the dataset
     */
    static long bytes(RunSettings settings, String dataset, Task task, Consumer<String> teller)
            throws RunFailedException {
        requireAugmentation(settings, dataset, task);
        // A model or a checkpoint names its network; the workers check it against the dataset.
        StartingPoint start = settings.server().startingPoint();
        if (settings.network().network().isEmpty() && start instanceof StartingPoint.Model model) {
            return largestFile(model.file().toString());
        }
        if (settings.network().network().isEmpty() && start instanceof StartingPoint.State state) {
            return largestFile(state.source());
        }
        String text = settings.network().network().orElse(Networks.defaultFor(task));
        try {
            NetworkSpec spec = Networks.named(text, task).spec();
            teller.accept(String.format(
                    Locale.ROOT,
                    "%s: %,d parameters, %.1f MB",
                    Printable.text(spec.name()),
                    spec.parameterCount(),
                    spec.layout().byteLength() / 1e6));
            return spec.layout().byteLength();
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(
                    "the network does not fit the dataset %s: %s".formatted(dataset, unfit.getMessage()));
        }
    }

    private static void requireAugmentation(RunSettings settings, String dataset, Task task) throws RunFailedException {
        try {
            settings.network().augmentation().requireFits(task);
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(
                    "the augmentation does not fit the dataset %s: %s".formatted(dataset, unfit.getMessage()));
        }
    }

    private static long largestFile(String source) {
        Path path = Path.of(source.replaceFirst("#\\d+$", ""));
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(file -> file.toString().endsWith(SAFETENSORS) && !file.endsWith(STATE))
                    .mapToLong(RunNetwork::size)
                    .max()
                    .orElse(0);
        } catch (IOException | UncheckedIOException unreadable) {
            // In a bucket, or missing: the server reports that.
            return 0;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }
}
