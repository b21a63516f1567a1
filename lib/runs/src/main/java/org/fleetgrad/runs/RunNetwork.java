package org.fleetgrad.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.resume.BeginningFile;
import org.fleetgrad.runs.settings.OptimizationSettings;
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
            requireTuning(settings, BeginningFile.networkOf(model.file()), dataset, task, teller);
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
                    Printable.text(NetworkTitle.of(spec.name())),
                    spec.parameterCount(),
                    spec.layout().byteLength() / 1e6));
            requireTuning(settings.optimization(), spec, teller);
            return spec.layout().byteLength();
        } catch (IllegalArgumentException unfit) {
            throw unfit(dataset, unfit);
        }
    }

    /** Returns settings whose network has a name that every program knows: only this one has the jar of a network of one's own. */
    static RunSettings known(RunSettings settings, Task task) {
        Optional<String> named = settings.network().network();
        if (named.isEmpty()) {
            return settings;
        }
        String complete = Networks.named(named.get(), task).spec().name();
        return NetworkName.parse(named.get())
                        .base()
                        .equals(NetworkName.parse(complete).base())
                ? settings
                : settings.with(settings.network().with(complete));
    }

    /** Returns the name of the network; empty if the model or the run knows it that this one begins with. */
    static String name(RunSettings settings, Task task) {
        boolean isNamedElsewhere = !(settings.server().startingPoint() instanceof StartingPoint.Seeded);
        return settings.network().network().orElseGet(() -> isNamedElsewhere ? "" : Networks.defaultFor(task));
    }

    private static RunFailedException unfit(String dataset, IllegalArgumentException reason) {
        return RunFailedException.input(
                "the network does not fit the dataset %s: %s".formatted(dataset, reason.getMessage()));
    }

    private static void requireTuning(
            RunSettings settings, Optional<NetworkName> named, String dataset, Task task, Consumer<String> teller)
            throws RunFailedException {
        if (named.isEmpty() || settings.optimization().isPlain()) {
            return;
        }
        NetworkName known = named.get();
        boolean isNewHead = settings.server().startingPoint() instanceof StartingPoint.Model model && model.newHead();
        try {
            NetworkName wanted = isNewHead ? known.withoutHead() : known;
            requireTuning(
                    settings.optimization(),
                    Networks.named(wanted.toString(), task).spec(),
                    teller);
        } catch (IllegalArgumentException unfit) {
            throw unfit(dataset, unfit);
        }
    }

    /** Checks the frozen tensors and those with a learning rate of their own, and says what is left. */
    private static void requireTuning(OptimizationSettings optimization, NetworkSpec spec, Consumer<String> teller)
            throws RunFailedException {
        FrozenTensors frozen;
        try {
            frozen = optimization.freeze().in(spec.layout(), spec.state());
            optimization.rates().requireMatches(spec.layout(), frozen, spec.state());
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input("--" + unfit.getMessage());
        }
        if (frozen.isEmpty()) {
            return;
        }
        TensorLayout trainable = frozen.trainable(spec.layout());
        teller.accept(String.format(
                Locale.ROOT,
                "frozen: %d of %d tensors; %,d of %,d values are trained, a gradient has %.1f kB",
                frozen.names().size(),
                spec.layout().size(),
                trainable.elementCount(),
                spec.layout().elementCount(),
                trainable.byteLength() / 1e3));
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
