package org.fleetgrad.tools.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.tools.command.Console.PrintedFields;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Generates digits. */
@Command(
        name = "synth",
        description = "Generates digits that look handwritten, in files like MNIST's, without a download.",
        footerHeading = "%nExample:%n",
        footer = "  ${COMMAND-FULL-NAME} --out data/digits --train 12000 --test 2000 --seed 1")
public final class SynthCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Write to this folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--train",
            defaultValue = "12000",
            description = "Number of training digits (default: ${DEFAULT-VALUE}).")
    private int train;

    @Option(names = "--test", defaultValue = "2000", description = "Number of test digits (default: ${DEFAULT-VALUE}).")
    private int test;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the digits (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--force", description = "Overwrite existing files.")
    private boolean isForced;

    @Override
    public Integer call() throws IOException {
        if (train < 1 || test < 1) {
            throw console.usage("--train and --test must be 1 or more: %d and %d".formatted(train, test));
        }
        Overwriting.refuseUnless(isForced, folder, IdxDataset.fileNames());
        // Not the training digits' seed: it would generate the same digits.
        List<Path> files =
                IdxDataset.write(folder, SyntheticDigits.generate(train, seed), SyntheticDigits.generate(test, ~seed));
        if (console.isJson()) {
            console.printJson(PrintedFields.of(
                    "train",
                    train,
                    "test",
                    test,
                    "seed",
                    seed,
                    "files",
                    files.stream().map(Path::toString).toList()));
        } else {
            files.forEach(file -> console.print(file.toString()));
        }
        return 0;
    }
}
