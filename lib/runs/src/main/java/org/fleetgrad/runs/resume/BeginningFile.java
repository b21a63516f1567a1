package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.runs.output.OptionPath;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * The file that a run begins from. A file of Fleetgrad's names its network, state and dataset in its metadata; a folder of
 * Hugging Face's names its network in {@code config.json}; PyTorch's {@code state_dict} names nothing, so the run's options do.
 *
 * @param network such as {@code resnet18}; if it is absent, the file must name it
 * @param newHead whether the last linear layer is initialized anew, for the dataset's classes
 * @param dataset what the run trains on
 * @param seed    of the new head
 */
public record BeginningFile(Optional<String> network, boolean newHead, ShardManifest dataset, int seed) {

    /** Name of the folder in a run's folder. */
    private static final String FOLDER = "beginning";

    /** Characters of a tokenizer's text in a message; its digest is among them. */
    private static final int MOST_SHOWN = 100;

    /** Checks that there is such a file, or a folder with a network. */
    public static void requireFile(Path file) throws RunFailedException {
        if (ModelFolder.is(file)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw RunFailedException.input(
                    "--from %s: it is a folder without a config.json of Hugging Face's or a network.json of python/fleetgrad_export.py, not a file; --resume %s goes on from a run's state"
                            .formatted(file, file));
        }
        if (!Files.isRegularFile(file)) {
            throw RunFailedException.input("--from %s: there is no such file".formatted(file));
        }
    }

    /**
     * Checks a file or folder before the dataset is prepared: it can be read, and all values are finite. The values of a head that is
     * initialized anew are checked by nobody, since nobody uses them; which tensors those are is known when the network is.
     *
     * @throws RunFailedException if a run cannot begin with it
     */
    public static void require(Path file, boolean newHead) throws RunFailedException {
        requireFile(file);
        try {
            TensorFile given = TensorFile.open(file);
            if (!newHead) {
                given.requireFinite(List.of());
            }
        } catch (IllegalArgumentException | IOException unfit) {
            throw unfit(file, unfit);
        }
    }

    /**
     * Returns the network that a file or folder names, if it does.
     *
     * @throws RunFailedException if a run cannot begin with it
     */
    public static Optional<NetworkName> networkOf(Path file) throws RunFailedException {
        requireFile(file);
        try {
            Optional<String> text =
                    Optional.ofNullable(TensorFile.open(file).metadata().get(MetadataKeys.NETWORK));
            text.ifPresent(Networks::requireText);
            return text.map(NetworkName::parse);
        } catch (IllegalArgumentException | IOException unfit) {
            throw unfit(file, unfit);
        }
    }

    /**
     * Returns the {@code tokenizer.json} that lies in the folder of a model, unless the model says that its tokens are others.
     *
     * @throws RunFailedException if a run cannot begin with it
     */
    public static Optional<Path> tokenizerOf(Path folder) throws RunFailedException {
        requireFile(folder);
        Path tokenizer = folder.resolve(JsonTokenizer.FILE);
        if (!Files.isRegularFile(tokenizer)) {
            return Optional.empty();
        }
        try {
            String stated = TensorFile.open(folder).metadata().get(MetadataKeys.TOKENIZER);
            return stated == null || Tokenizer.parse(stated) instanceof JsonTokenizer
                    ? Optional.of(tokenizer)
                    : Optional.empty();
        } catch (IllegalArgumentException | IOException unfit) {
            throw unfit(folder, unfit);
        }
    }

    private static RunFailedException unfit(Path file, Exception reason) {
        return RunFailedException.input(new OptionPath("--from", file).message(reason));
    }

    /**
     * Returns the files from which a run's servers begin: {@code file} itself if nothing changes and there is one server.
     *
     * @param run the run's folder, to which changed files are written
     * @throws RunFailedException if the file is of another network, or neither the file nor the option names the network
     */
    public List<String> sources(Path file, int servers, Path run) throws RunFailedException {
        try {
            Path folder = run.resolve(FOLDER);
            Path whole = whole(file, folder);
            return servers == 1 ? List.of(whole.toString()) : ResumeParts.split(whole, servers, folder);
        } catch (IllegalArgumentException | IOException unfit) {
            throw unfit(file, unfit);
        }
    }

    private Path whole(Path file, Path folder) throws IOException {
        TensorFile given = TensorFile.open(file);
        Task task = dataset.schema().task();
        NetworkDefinition definition = Networks.named(name(given.metadata()), task);
        new NetworkFit(definition, task.classes(), newHead).require(given.layout());
        if (newHead) {
            given.requireFinite(definition.head());
        }
        Map<String, String> metadata = metadata(given.metadata(), definition.spec());
        if (!newHead && given.isPlain() && metadata.equals(given.metadata())) {
            return Files.isDirectory(file) ? ModelFolder.tensors(file) : file;
        }
        Path target = Files.createDirectories(folder).resolve("model.safetensors");
        List<String> anew = newHead ? definition.head() : List.of();
        AtomicFile.write(target, out -> {
            out.write(SafetensorsHeader.encode(definition.spec().layout(), metadata, 0));
            for (TensorSpec tensor : definition.spec().layout().specs()) {
                if (anew.contains(tensor.name())) {
                    TensorFile.write(definition.initialValues(tensor.name(), seed), out);
                } else {
                    given.write(tensor.name(), out);
                }
            }
        });
        return target;
    }

    /** Returns the network as the run's option or the file's metadata have it. */
    private String name(Map<String, String> metadata) {
        String own = metadata.get(MetadataKeys.NETWORK);
        if (own == null) {
            return network.orElseThrow(
                    () -> new IllegalArgumentException(
                            "it does not name its network: pass --network, such as --network resnet18 (fleetgrad networks lists them)"));
        }
        NetworkName named = NetworkName.parse(own);
        if (network.isPresent() && !NetworkName.parse(network.get()).base().equals(named.base())) {
            throw new IllegalArgumentException(
                    "its network is '%s', and --network is %s: leave out --network".formatted(own, network.get()));
        }
        return network.orElseGet(() -> ownName(named));
    }

    private String ownName(NetworkName own) {
        if (newHead) {
            // Then the dataset determines the number of classes or labels.
            return own.withoutHead().toString();
        }
        int classes = dataset.schema().task().classes();
        if (own.argument(NetworkName.CLASSES).isPresent() && own.classes() < classes) {
            throw new IllegalArgumentException(
                    "its head is for %d classes, the dataset %s has %d: pass --new-head to initialize a new head"
                            .formatted(own.classes(), dataset.name(), classes));
        }
        Optional<String> labels = own.argument(NetworkName.LABELS);
        if (labels.isPresent() && !labels.get().equals(Integer.toString(classes))) {
            throw new IllegalArgumentException(
                    "its head is for %s labels, the dataset %s has %s: pass --new-head to initialize a new head"
                            .formatted(
                                    labels.get(),
                                    dataset.name(),
                                    dataset.schema().task().question()));
        }
        return own.toString();
    }

    private Map<String, String> metadata(Map<String, String> own, NetworkSpec spec) {
        if (own.containsKey(ParameterState.KEY)) {
            spec.state().firstDifference(ParameterState.in(own)).ifPresent(difference -> {
                throw new IllegalArgumentException("its metadata '%s' is not that of the network '%s': %s"
                        .formatted(ParameterState.KEY, spec.name(), difference.message()));
            });
        }
        String tokenizer = own.get(MetadataKeys.TOKENIZER);
        if (tokenizer != null && !tokenizer.equals(dataset.schema().metadata().get(MetadataKeys.TOKENIZER))) {
            throw new IllegalArgumentException(
                    "its tokens are of %s, those of the dataset %s of %s: train on texts of the same tokens (--tokenizer), or begin with another model"
                            .formatted(
                                    shown(tokenizer),
                                    dataset.name(),
                                    shown(dataset.schema()
                                            .textTokenizer()
                                            .map(Tokenizer::text)
                                            .orElse("images"))));
        }
        Map<String, String> metadata = new TreeMap<>(own);
        metadata.putAll(spec.metadata());
        metadata.putIfAbsent(MetadataKeys.SEED, Integer.toString(seed));
        Map<String, String> ofDataset = DatasetDescription.metadata(dataset.name(), dataset.schema());
        // Rows are read by the dataset's schema, whose means and units may differ from those of one with the same name.
        boolean isSame = !newHead
                && dataset.name().equals(own.get(MetadataKeys.DATASET))
                && !(dataset.schema() instanceof RowSchema);
        ofDataset.forEach(isSame ? metadata::putIfAbsent : metadata::put);
        return metadata;
    }

    private static String shown(String tokenizer) {
        return Printable.text(tokenizer.length() > MOST_SHOWN ? tokenizer.substring(0, MOST_SHOWN) + "…" : tokenizer);
    }
}
