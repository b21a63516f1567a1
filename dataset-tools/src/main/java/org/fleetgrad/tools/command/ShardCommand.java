package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.tools.Progress;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cuts a dataset into shards. */
@Command(
        name = "shard",
        description = {
            "Cuts a dataset into training shards, one test shard and a manifest.json.",
            "The files in the folder say which kind of dataset it is."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} data/mnist --shards 6 --out shards",
            "  ${COMMAND-FULL-NAME} data/cifar10 --shards 10 --out shards",
            "  ${COMMAND-FULL-NAME} photos --dataset-name flowers --image-size 64 --shards 4 --out shards",
            "  ${COMMAND-FULL-NAME} data/mnist --shards 6 --out shards --mean 0.1307 --std 0.3081",
            "  ${COMMAND-FULL-NAME} sales.csv --target price --drop id --shards 4 --out shards",
            "  ${COMMAND-FULL-NAME} data/shakespeare --tokenizer characters --context 64 --shards 4 --out shards"
        })
public final class ShardCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Parameters(
            paramLabel = "DIR",
            description =
                    "Folder with a dataset: IDX files, CIFAR-10, CIFAR-100, SVHN, images in a folder for each class or in a CSV file with the"
                            + " columns path and label, or .txt files; or a table.")
    private Path source = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Write to this folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--dataset-name",
            paramLabel = "NAME",
            description = {
                "Name of the dataset; each file's name begins with it.",
                "(default: what dataset-name.txt says, else the kind's name, such as cifar10, else the folder's)"
            })
    private @Nullable String name;

    @Option(
            names = "--image-size",
            paramLabel = "N",
            description =
                    "Resize a folder of images to N x N pixels (default: their one size, else the median's shorter side).")
    private @Nullable Integer imageSize;

    @Option(
            names = "--hold-out",
            paramLabel = "SHARE",
            description =
                    "Share of each class to hold out, if the dataset has no held-out images, texts or rows (default: 0.1).")
    private @Nullable Double holdOut;

    @Option(
            names = "--skip-broken",
            description = "Leave out files that are not images, and list them (default: they are refused).")
    private boolean skipBroken;

    @Option(
            names = "--tokenizer",
            paramLabel = "KIND",
            description = {
                "Tokens of a text: characters, bytes, gpt2 or a tokenizer.json",
                "(default: the tokenizer.json beside it, else characters, or bytes if there are more than 256)."
            })
    private @Nullable String tokenizer;

    @Option(
            names = "--context",
            paramLabel = "N",
            description = "Tokens of a sample of a text (default: 64; 128 of texts with labels).")
    private @Nullable Integer context;

    @Option(
            names = "--target",
            paramLabel = "COLUMN",
            description = {
                "Read a table, and predict this column of it: a .csv or .tsv file, plain or .gz, a .parquet file, or a folder of them",
                "Several times: predict several labels, each of them no or yes."
            })
    private List<String> targets = List.of();

    @Option(
            names = "--column",
            paramLabel = "NAME:KIND",
            description =
                    "Kind of a column of a table, such as zip:category: number, category, date or drop (default: inferred).")
    private List<String> columns = List.of();

    @Option(names = "--drop", split = ",", paramLabel = "COLUMN", description = "Leave out columns of a table.")
    private List<String> dropped = List.of();

    @Option(
            names = "--weight",
            paramLabel = "COLUMN",
            description = "Take this column of a table for the weight of a row in the loss, and not for an input.")
    private @Nullable String weight;

    @Option(names = "--shards", required = true, paramLabel = "N", description = "Number of training shards.")
    private int shards;

    @Option(
            names = "--mean",
            split = ",",
            description = "Mean of each channel (default: measured on the training images).")
    private @Nullable List<Float> mean;

    @Option(names = "--std", split = ",", description = "Standard deviation of each channel (default: measured).")
    private @Nullable List<Float> std;

    @Option(names = "--force", description = "Overwrite existing files: a manifest and its shards.")
    private boolean isForced;

    @Override
    public Integer call() throws IOException {
        Overwriting.refuseUnless(isForced, folder, List.of(ShardManifest.FILE_NAME));
        @Nullable Normalization given = given();
        Dataset dataset = read();
        Schema schema = schema(dataset, given);
        ShardSet set = write(dataset, schema);
        if (console.isJson()) {
            Map<String, Object> fields = PrintedFields.of(
                    "name", dataset.name(),
                    "classes", schema.task().classes(),
                    "shape", schema.task().input(),
                    "train", set.train().stream().map(Path::toString).toList(),
                    "test", set.test().toString(),
                    "manifest", set.manifest().toString());
            if (schema instanceof ImageSchema images) {
                fields.put("mean", images.normalization().mean());
                fields.put("std", images.normalization().std());
            }
            schema.textTokenizer().ifPresent(tokenizer -> fields.put("tokenizer", tokenizer.toString()));
            if (!dataset.notes().isEmpty()) {
                fields.put("notes", dataset.notes());
            }
            console.printJson(fields);
        } else {
            dataset.notes().forEach(console::print);
            set.files().forEach(file -> console.print(file.toString()));
        }
        return 0;
    }

    private Dataset read() throws IOException {
        Progress progress = console.progress();
        AtomicBoolean hasBegun = new AtomicBoolean();
        try {
            return DatasetFolder.read(
                    source, options().preparedBy(new Preparation(Files.createDirectories(folder), (done, total) -> {
                        if (hasBegun.compareAndSet(false, true)) {
                            progress.begin("read", total, "bytes");
                        }
                        progress.reach(done);
                    })));
        } finally {
            progress.end();
        }
    }

    private FolderOptions options() {
        try {
            return new FolderOptions(
                    Optional.ofNullable(name),
                    imageSize == null ? OptionalInt.empty() : OptionalInt.of(imageSize),
                    Optional.ofNullable(tokenizer),
                    context == null ? OptionalInt.empty() : OptionalInt.of(context),
                    TableOptions.of(targets, columns, dropped).weighing(Optional.ofNullable(weight)),
                    holdOut == null ? OptionalDouble.empty() : OptionalDouble.of(holdOut),
                    new PictureOptions(skipBroken, Optional.empty()));
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
    }

    private Schema schema(Dataset dataset, @Nullable Normalization given) {
        if (given == null) {
            return dataset.schema();
        }
        if (dataset instanceof ImageDataset images) {
            try {
                return new ImageSchema(images.classes(), images.train().shape(), given);
            } catch (IllegalArgumentException unfit) {
                throw console.usage(String.valueOf(unfit.getMessage()));
            }
        }
        throw console.usage("--mean and --std are for images; %s has none".formatted(source));
    }

    private ShardSet write(Dataset dataset, Schema schema) throws IOException {
        Progress progress = console.progress();
        progress.begin("shard", shards + 1L, "files");
        try {
            return ShardSet.write(folder, dataset, shards, schema, (file, written, total) -> progress.reach(written));
        } catch (IllegalArgumentException impossible) {
            throw console.usage(String.valueOf(impossible.getMessage()));
        } finally {
            progress.end();
        }
    }

    private @Nullable Normalization given() {
        if (mean == null && std == null) {
            return null;
        }
        if (mean == null || std == null) {
            throw console.usage("--mean and --std must be given together");
        }
        try {
            return new Normalization(mean, std);
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
    }
}
