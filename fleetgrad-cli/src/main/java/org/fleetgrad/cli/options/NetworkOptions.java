package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.accept;
import static org.fleetgrad.cli.options.OptionCheck.require;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.networks.NetworkJar;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.runs.output.OptionPath;
import org.fleetgrad.runs.resume.ModelFolder;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.runs.settings.NetworkSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say what a run trains, and on what. */
@HelpGroup(Topic.NETWORK)
final class NetworkOptions {

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
            names = "--network-jar",
            paramLabel = "FILE",
            description =
                    "Jar with networks of your own, as examples/own-network makes it; --network names one of them,"
                            + " unless it has only one. Its code runs in this command alone: workers, containers and inference get"
                            + " the network's layers as data")
    private @Nullable Path networkJar;

    @Option(
            names = "--device",
            defaultValue = "cpu",
            paramLabel = "DEVICE",
            description = "Device to compute on, of the workers: cpu; cuda, all GPUs of the machine in turn;"
                    + " cuda:0, one of them; or cuda:0,cuda:2, several in turn. A GPU needs libtorch for CUDA, which"
                    + " docker/libtorch-cuda fetches (default: ${DEFAULT-VALUE})")
    private String device = "cpu";

    @Option(
            names = "--deterministic",
            description =
                    "Make GPUs compute the same bits again, as far as DJL lets: without TF32, and with cuBLAS adding up"
                            + " in one order. The processor does so anyway")
    private boolean isDeterministic;

    @HelpGroup(Topic.TRAINING)
    @Option(
            names = "--augment",
            paramLabel = "NAME",
            defaultValue = "none",
            description = "Random changes of training images: none, or pad-crop-flip (default: ${DEFAULT-VALUE})")
    private String augment = "none";

    NetworkSettings settings() {
        addJar();
        Optional<String> name = folder().map(this::networkOf).or(() -> Optional.ofNullable(network));
        name.ifPresent(text -> accept(command, "--network", () -> {
            Networks.requireArguments(text);
            return text;
        }));
        DeviceSettings devices =
                accept(command, "--device", () -> DeviceSettings.parse(device)).deterministic(isDeterministic);
        Optional<Augmentation> augmentation = Augmentation.named(augment);
        require(
                command,
                augmentation.isPresent(),
                "--augment must be %s; it is '%s'".formatted(String.join(" or ", Augmentation.labels()), augment));
        return new NetworkSettings(name, devices, augmentation.orElseThrow());
    }

    private void addJar() {
        if (networkJar == null) {
            return;
        }
        NetworkJar jar;
        try {
            jar = NetworkJar.open(networkJar);
            Networks.add(jar);
        } catch (IllegalArgumentException | IOException unfit) {
            throw refused(new OptionPath("--network-jar", networkJar).message(unfit), unfit);
        }
        if (network == null) {
            require(
                    command,
                    jar.names().size() == 1,
                    "--network-jar: %s has the networks %s; name one with --network"
                            .formatted(networkJar, String.join(", ", jar.names())));
            network = jar.names().get(0);
        }
        if (command != null) {
            command.commandLine()
                    .getErr()
                    .println("%s (SHA-256 %s): its code makes the network here; other programs get the layers as data"
                            .formatted(networkJar, jar.sha256()));
        }
    }

    private RuntimeException refused(String message, Exception reason) {
        return command == null
                ? new IllegalArgumentException(message, reason)
                : new ParameterException(command.commandLine(), message, reason);
    }

    /** Returns the folder with the network and its values, if the option names one. */
    Optional<Path> folder() {
        return Optional.ofNullable(network).filter(ModelFolder::isNamedBy).map(Path::of);
    }

    private String networkOf(Path folder) {
        try {
            return ModelFolder.network(folder).toString();
        } catch (IllegalArgumentException | IOException unfit) {
            throw refused(new OptionPath("--network", folder).message(unfit), unfit);
        }
    }
}
