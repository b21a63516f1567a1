package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.runs.settings.DataSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say which dataset a run trains on, or a load sends. */
@HelpGroup(Topic.DATA)
public final class DataOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Folder with a dataset: IDX files such as MNIST's, CIFAR-10, CIFAR-100, SVHN, or images in a folder for each"
                        + " class, perhaps in train/ and test/, or in a CSV file with the columns path and label, a table with"
                        + " --target, or series in arrays (.npz, .npy, .safetensors)",
                "(default: generated digits)"
            })
    private @Nullable Path folder;

    @Option(
            names = "--dataset-name",
            paramLabel = "NAME",
            description = {
                "Name of the dataset in --data",
                "(default: what dataset-name.txt says, else the kind's name, such as cifar10, else the folder's)"
            })
    private @Nullable String name;

    @Option(
            names = "--image-size",
            paramLabel = "N",
            description =
                    "Resize a folder of images to N x N pixels (default: their one size, else the input of the network)")
    private @Nullable Integer imageSize;

    @Option(
            names = "--hold-out",
            paramLabel = "SHARE",
            description = "Share of each class to hold out, if the dataset has no held-out samples (default: 0.1)")
    private @Nullable Double holdOut;

    @Option(
            names = "--skip-broken",
            description = "Leave out files that are not images, and list them (default: they are refused)")
    private boolean skipBroken;

    @Option(
            names = "--tokenizer",
            paramLabel = "KIND",
            description = {
                "Tokens of a text: characters, bytes, gpt2 or a tokenizer.json",
                "(default: the tokenizer.json beside it, else characters, or bytes if there are more than 256)"
            })
    private @Nullable String tokenizer;

    @Option(
            names = "--context",
            paramLabel = "N",
            description =
                    "Tokens of a sample of a text (default: what --network states, else 64, or 128 of texts with labels)")
    private @Nullable Integer context;

    @Option(
            names = "--target",
            paramLabel = "COLUMN",
            description = {
                "Read a table, and predict this column of it: a .csv or .tsv file, plain or .gz, a .parquet file, or a folder of them",
                "Several times: predict several labels, each of them no or yes"
            })
    private List<String> targets = List.of();

    @Option(
            names = "--column",
            paramLabel = "NAME:KIND",
            description =
                    "Kind of a column of a table, such as zip:category: number, category, date or drop (default: inferred)")
    private List<String> columns = List.of();

    @Option(names = "--drop", split = ",", paramLabel = "COLUMN", description = "Leave out columns of a table")
    private List<String> dropped = List.of();

    @Option(
            names = "--weight",
            paramLabel = "COLUMN",
            description = "Take this column of a table for the weight of a row in the loss, and not for an input")
    private @Nullable String weight;

    /** Returns the settings, or rejects the command line. */
    public DataSettings settings() {
        require(
                command,
                folder != null || !isDescribed(),
                "--dataset-name, --image-size, --hold-out, --skip-broken, --tokenizer, --context and --target are for the dataset in --data; generated digits have a name and a size");
        try {
            return new DataSettings(
                    Optional.ofNullable(folder),
                    new FolderOptions(
                            Optional.ofNullable(name),
                            imageSize == null ? OptionalInt.empty() : OptionalInt.of(imageSize),
                            Optional.ofNullable(tokenizer),
                            context == null ? OptionalInt.empty() : OptionalInt.of(context),
                            TableOptions.of(targets, columns, dropped).weighing(Optional.ofNullable(weight)),
                            holdOut == null ? OptionalDouble.empty() : OptionalDouble.of(holdOut),
                            new PictureOptions(skipBroken, Optional.empty())));
        } catch (IllegalArgumentException invalid) {
            if (command == null) {
                throw invalid;
            }
            throw new ParameterException(command.commandLine(), String.valueOf(invalid.getMessage()), invalid);
        }
    }

    private boolean isDescribed() {
        return skipBroken
                || !targets.isEmpty()
                || Stream.of(name, imageSize, holdOut, tokenizer, context).anyMatch(Objects::nonNull);
    }
}
