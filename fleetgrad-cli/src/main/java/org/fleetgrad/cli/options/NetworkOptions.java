package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.runs.output.OptionPath;
import org.fleetgrad.runs.resume.ModelFolder;
import org.fleetgrad.runs.settings.NetworkSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a run trains, and on what. */
final class NetworkOptions {

    /** The names that the workers understand. */
    private static final String DEVICE = "cpu|(gpu|cuda)(:\\d{1,3})?";

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--network",
            paramLabel = "NAME|FOLDER",
            description =
                    "Network, such as resnet20 or \"resnet18?classes=100&stem=imagenet\"; fleetgrad networks lists"
                            + " them. The dataset determines what the name leaves open. Or a folder of"
                            + " python/fleetgrad_export.py or of Hugging Face's, whose values the run begins with (default:"
                            + " lenet5, or the network of --from or --resume)")
    private @Nullable String network;

    @Option(
            names = "--device",
            defaultValue = "cpu",
            description = "Device to compute on, of the workers: cpu, or cuda:0 (default: ${DEFAULT-VALUE})")
    private String device = "cpu";

    @Option(
            names = "--augment",
            paramLabel = "NAME",
            defaultValue = "none",
            description = "Random changes of training images: none, or pad-crop-flip (default: ${DEFAULT-VALUE})")
    private String augment = "none";

    NetworkSettings settings() {
        Optional<String> name = folder().map(this::networkOf).or(() -> Optional.ofNullable(network));
        name.ifPresent(this::requireNetwork);
        require(
                command,
                device.matches(DEVICE),
                "--device must be cpu or cuda:0 (any number); it is '%s'".formatted(device));
        Optional<Augmentation> augmentation = Augmentation.named(augment);
        require(
                command,
                augmentation.isPresent(),
                "--augment must be %s; it is '%s'".formatted(String.join(" or ", Augmentation.labels()), augment));
        return new NetworkSettings(name, device, augmentation.orElseThrow());
    }

    /** Returns the folder with the network and its values, if the option names one. */
    Optional<Path> folder() {
        return Optional.ofNullable(network).filter(ModelFolder::isNamedBy).map(Path::of);
    }

    private String networkOf(Path folder) {
        try {
            return ModelFolder.network(folder).toString();
        } catch (IllegalArgumentException | IOException unfit) {
            String message = new OptionPath("--network", folder).message(unfit);
            if (command == null) {
                throw new IllegalArgumentException(message, unfit);
            }
            throw new ParameterException(command.commandLine(), message, unfit);
        }
    }

    private void requireNetwork(String text) {
        try {
            Networks.requireArguments(text);
        } catch (IllegalArgumentException wrong) {
            if (command == null) {
                throw wrong;
            }
            throw new ParameterException(command.commandLine(), "--network: " + wrong.getMessage(), wrong);
        }
    }
}
