package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.tools.ExitCode;
import org.fleetgrad.tools.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cuts a dataset into shards. */
@Command(
        name = "shard",
        description = "Cuts a folder of IDX files into training shards, one test shard and a manifest.json.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} data/mnist --name mnist --shards 6 --out shards",
            "  ${COMMAND-FULL-NAME} data/mnist --name mnist --shards 6 --out shards --mean 0.1307 --std 0.3081"
        })
public final class ShardCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Parameters(paramLabel = "DIR", description = "Folder with the four IDX files, plain or gzipped.")
    private Path source = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the shards.")
    private Path folder = Path.of("");

    @Option(names = "--name", required = true, description = "Name of the dataset; each file's name begins with it.")
    private String name = "";

    @Option(names = "--shards", required = true, paramLabel = "N", description = "Number of training shards.")
    private int shards;

    @Option(
            names = "--mean",
            split = ",",
            description = "Mean of each channel (default: measured on the training images).")
    private @Nullable List<Float> mean;

    @Option(names = "--std", split = ",", description = "Standard deviation of each channel (default: measured).")
    private @Nullable List<Float> std;

    @Option(names = "--force", description = "Overwrite an existing manifest and its shards.")
    private boolean isForced;

    @Override
    public Integer call() throws IOException {
        Overwriting.refuseUnless(isForced, folder, List.of(ShardManifest.FILE_NAME));
        @Nullable Normalization given = given();
        IdxDataset dataset = IdxDataset.open(source);
        Normalization normalization = given == null ? Normalization.of(dataset.train()) : given;
        ShardSet set = write(dataset, normalization);
        if (console.isJson()) {
            console.printJson(Fields.of(
                    "name", name,
                    "train", set.train().stream().map(Path::toString).toList(),
                    "test", set.test().toString(),
                    "manifest", set.manifest().toString(),
                    "mean", normalization.mean(),
                    "std", normalization.std()));
        } else {
            set.files().forEach(file -> console.print(file.toString()));
        }
        return ExitCode.OK;
    }

    private ShardSet write(IdxDataset dataset, Normalization normalization) throws IOException {
        Progress progress = console.progress();
        progress.begin("shard", shards + 1L, "files");
        try {
            return ShardSet.write(
                    folder,
                    name,
                    dataset.train(),
                    dataset.test(),
                    shards,
                    normalization,
                    (file, written, total) -> progress.reach(written));
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
