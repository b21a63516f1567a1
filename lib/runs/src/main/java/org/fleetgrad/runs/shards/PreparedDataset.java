package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.datasets.text.Gpt2Tokenizer;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.resume.BeginningFile;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.StartingPoint;

/**
 * A dataset as shards in a folder, ready for workers.
 *
 * @param name    of the dataset
 * @param schema  what the samples are
 * @param train   number of training samples
 * @param test    the held-out samples
 * @param shards  the files
 * @param weights of the classes, as the user's options and the training samples say
 * @param notes   what the user should know of how the dataset was read
 */
public record PreparedDataset(
        String name,
        Schema schema,
        int train,
        Samples test,
        ShardSet shards,
        ClassWeights weights,
        List<String> notes) {

    /** Name of the folder of shards in a run's folder. */
    public static final String FOLDER = "shards";

    private static final String GENERATED = "generated-digits";
    private static final int SAMPLES_A_SHARD = 10_000;
    private static final int BYTES_A_SHARD = 8_000_000;
    /** Keeps the number of files in bounds. */
    private static final int FEWEST_SAMPLES_A_SHARD = 100;
    /** Shards that a worker trains on in a run that ends after few steps: surplus steps are at most one in this many. */
    private static final int SHARDS_A_WORKER = 10;
    /** Offset of the test digits' seed from the training digits': other digits, but the same every time. */
    private static final long TEST_SEED_OFFSET = 1_000_003;

    /**
     * Reads the user's dataset, or generates one, and cuts it into shards in {@code folder}.
     *
     * @param folder whose parent exists: the rows of a large table lie there meanwhile
     * @param output shows how far it is
     */
    public static PreparedDataset prepare(RunSettings settings, Path folder, RunOutput output)
            throws RunFailedException {
        Path beside = folder.toAbsolutePath().resolveSibling(".").normalize();
        Dataset dataset = read(settings, new Preparation(beside, new ReadingProgress(output, System::nanoTime)));
        FittingTarget.require(settings.target(), dataset.schema().task());
        FittingHeader.require(settings, dataset);
        ClassWeights weights = FittingImbalance.weights(settings.optimization().imbalance(), dataset);
        // The shards of a run that goes on in its own folder are still the earlier ones.
        ResumedRows.require(settings.server().startingPoint(), dataset);
        // At least one shard for each worker, and small enough that an activation takes a second or two.
        int shards = Math.max(
                settings.workers(),
                (dataset.train().count() - 1) / samplesAShard(settings, bytesOfSample(dataset)) + 1);
        try {
            Schema schema = dataset.schema();
            return new PreparedDataset(
                    dataset.name(),
                    schema,
                    dataset.train().count(),
                    dataset.test(),
                    ShardSet.write(
                            folder,
                            dataset,
                            shards,
                            schema,
                            (file, written, total) -> output.live("%,d of %,d shards".formatted(written, total))),
                    weights,
                    dataset.notes());
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.input(String.valueOf(unfit.getMessage()));
        } catch (IOException unwritable) {
            long bytes = ((long) dataset.train().count() + dataset.test().count()) * bytesOfSample(dataset);
            throw RunFailedException.input("the shards could not be written to %s: %s%s"
                    .formatted(
                            folder,
                            unwritable,
                            DiskSpace.isFull(unwritable)
                                    ? "; they take up to %,d bytes%s: free space, or pass another --out"
                                            .formatted(bytes, DiskSpace.note(folder))
                                    : ""));
        }
    }

    private static int bytesOfSample(Dataset dataset) {
        return dataset instanceof ImageDataset images
                ? images.train().imageBytes()
                : bytesOfSample(dataset.schema().task());
    }

    /** A pixel is a byte in a shard, a token two, or four in a large vocabulary, and a sample has twice its tokens. */
    private static int bytesOfSample(Task task) {
        if (task instanceof RowTask) {
            return Math.multiplyExact(task.inputSize() + 1, Float.BYTES);
        }
        if (task instanceof TextClassification) {
            return Math.multiplyExact(task.inputSize(), Integer.BYTES);
        }
        return task instanceof LanguageModel
                ? Math.multiplyExact(task.inputSize(), 2 * Integer.BYTES)
                : task.inputSize();
    }

    /** Returns the largest size in bytes of a shard for a task. */
    public static long largestShard(Task task) {
        return Math.min((long) SAMPLES_A_SHARD * bytesOfSample(task), BYTES_A_SHARD);
    }

    /**
     * A shard is small enough for a worker's memory, whatever its images are. A run that ends after few steps needs small
     * shards, because workers finish those that they are on.
     */
    private static int samplesAShard(RunSettings settings, int bytesOfSample) {
        int most = Math.max(1, Math.min(SAMPLES_A_SHARD, BYTES_A_SHARD / bytesOfSample));
        if (settings.maxSteps().isEmpty()) {
            return most;
        }
        long samplesAStep = Math.multiplyFull(settings.batchSize(), settings.updateInterval());
        // Avoids overflow of the product.
        long steps = Math.min(settings.maxSteps().getAsLong(), SAMPLES_A_SHARD);
        return (int) Math.min(Math.max(FEWEST_SAMPLES_A_SHARD, steps * samplesAStep / SHARDS_A_WORKER), most);
    }

    /** Reads the user's dataset, or generates one. */
    public static Dataset read(RunSettings settings) throws RunFailedException {
        return read(settings, Preparation.USUAL);
    }

    private static Dataset read(RunSettings settings, Preparation preparation) throws RunFailedException {
        Optional<Path> folder = settings.data().folder();
        if (folder.isEmpty()) {
            return generate(settings);
        }
        try {
            Optional<NetworkName> network = namedNetwork(settings);
            FolderOptions options = options(settings.data().options(), network);
            options = ImageInput.of(settings.server().startingPoint(), network)
                    .map(options::withNetwork)
                    .orElse(options);
            if (settings.server().startingPoint() instanceof StartingPoint.Model model) {
                Optional<Path> tokenizer = BeginningFile.tokenizerOf(model.file());
                options = tokenizer
                        .map(Path::toString)
                        .map(options::withTokenizer)
                        .orElse(options);
            }
            return DatasetFolder.read(folder.get(), options.preparedBy(preparation));
        } catch (IOException unreadable) {
            throw UnreadableData.of(folder.get(), unreadable);
        }
    }

    /** Returns the network that the run's options name, or else the model that the run begins with. */
    private static Optional<NetworkName> namedNetwork(RunSettings settings) throws RunFailedException {
        Optional<String> text = settings.network().network();
        if (text.isEmpty() && settings.server().startingPoint() instanceof StartingPoint.Model model) {
            return BeginningFile.networkOf(model.file());
        }
        return text.map(NetworkName::parse);
    }

    /** A network of texts states their context, and the vocabulary of GPT-2 is that of its own tokens. */
    private static FolderOptions options(FolderOptions own, Optional<NetworkName> network) {
        FolderOptions options = own;
        if (network.flatMap(name -> name.argument(NetworkName.CONTEXT)).isPresent()) {
            options = options.withContext(network.get().number(NetworkName.CONTEXT, Task.MOST_TOKENS));
        }
        boolean isGpt2s = network.flatMap(name -> name.argument(NetworkName.VOCABULARY))
                .equals(Optional.of(Integer.toString(Gpt2Tokenizer.VOCABULARY)));
        return isGpt2s ? options.withTokenizer(Gpt2Tokenizer.NAME) : options;
    }

    private static Dataset generate(RunSettings settings) {
        CompletableFuture<ImageSamples> test =
                CompletableFuture.supplyAsync(() -> heldOutDigits(settings.testSamples(), settings.seed()));
        ImageSamples train = SyntheticDigits.generate(settings.trainSamples(), settings.seed());
        return new ImageDataset(GENERATED, ClassNames.numbers(SyntheticDigits.CLASSES), train, test.join());
    }

    /** Returns the generated digits that a run of this seed holds out. */
    public static ImageSamples heldOutDigits(int count, long seed) {
        return SyntheticDigits.generate(count, seed + TEST_SEED_OFFSET);
    }

    /** Returns the work of a run over the shards. */
    public WorkPlan plan(int epochs, ShardHost host) throws IOException {
        List<PlannedShard> planned = new ArrayList<>();
        for (int i = 0; i < shards.train().size(); i++) {
            Path file = shards.train().get(i);
            planned.add(new PlannedShard(
                    file.getFileName().toString(),
                    host.url(file),
                    shards.samples().get(i)));
        }
        return new WorkPlan(name, epochs, planned);
    }
}
