package org.fleetgrad.evaluator;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which held-out samples are read. */
final class SampleOptions {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Folder with a dataset, of which the test split is read; a folder of shards or of a run, whose"
                            + " manifest names the test shard; or a test shard. Training shards are refused.")
    private @Nullable Path data;

    @Option(names = "--dataset-name", paramLabel = "NAME", description = "Name of the dataset in --data, as for train")
    private @Nullable String datasetName;

    @Option(
            names = "--image-size",
            paramLabel = "N",
            description = "Resize a folder of images to N x N pixels, as for train")
    private @Nullable Integer imageSize;

    @Option(names = "--hold-out", paramLabel = "SHARE", description = "Share of each class to hold out, as for train")
    private @Nullable Double holdOut;

    @Option(names = "--skip-broken", description = "Leave out files that are not images, as for train")
    private boolean skipBroken;

    @Option(names = "--tokenizer", paramLabel = "KIND", description = "Tokens of a text, as for train")
    private @Nullable String tokenizer;

    @Option(names = "--context", paramLabel = "N", description = "Tokens of a sample of a text, as for train")
    private @Nullable Integer context;

    @Option(
            names = "--target",
            paramLabel = "COLUMN",
            description = "Read a table, and predict this column of it, or several labels, as for train")
    private List<String> targets = List.of();

    @Option(names = "--column", paramLabel = "NAME:KIND", description = "Kind of a column of a table, as for train")
    private List<String> columns = List.of();

    @Option(
            names = "--drop",
            split = ",",
            paramLabel = "COLUMN",
            description = "Leave out columns of a table, as for train")
    private List<String> dropped = List.of();

    @Option(
            names = "--weight",
            paramLabel = "COLUMN",
            description = "Take this column of a table for no input, as train does; the evaluation is not weighted")
    private @Nullable String weight;

    /** Returns where the samples are, if they are named. */
    Optional<Path> data() {
        return Optional.ofNullable(data);
    }

    /** Returns how a dataset's folder is read. */
    FolderOptions folder() {
        return new FolderOptions(
                Optional.ofNullable(datasetName),
                imageSize == null ? OptionalInt.empty() : OptionalInt.of(imageSize),
                Optional.ofNullable(tokenizer),
                context == null ? OptionalInt.empty() : OptionalInt.of(context),
                TableOptions.of(targets, columns, dropped).weighing(Optional.ofNullable(weight)),
                holdOut == null ? OptionalDouble.empty() : OptionalDouble.of(holdOut),
                new PictureOptions(skipBroken, Optional.empty()));
    }
}
