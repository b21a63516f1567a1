package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.time.Duration;
import java.util.Locale;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.openwhisk.ActionDefinition;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.InvokerSettings.ActionKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say where a run's workers are. */
@HelpGroup(Topic.WORKERS)
public final class InvokerOptions {

    /** Memory of a worker's JVM and libtorch without its network, as in the worker's ContainerMemory. */
    private static final long SMALLEST = 134L << 20;

    private static final long USUAL = 256L << 20;

    /** Of a worker on a GPU: the libraries of CUDA alone take more than a usual worker. */
    private static final long ON_GPU = 4L << 30;

    private static final Duration SHORTEST = Duration.ofSeconds(5);

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    enum Kind {
        LOCAL,
        DOCKER,
        OPENWHISK
    }

    @Option(
            names = "--invoker",
            defaultValue = "local",
            description = "Where workers run: local, processes of this machine; docker, containers of this machine's"
                    + " Docker, run as OpenWhisk runs them; openwhisk, activations of an OpenWhisk action (default:"
                    + " ${DEFAULT-VALUE})")
    private Kind kind = Kind.LOCAL;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Converters.OfSize.class,
            description =
                    "Memory of a worker, without swap; with --invoker docker or openwhisk (default: 256m, and 4g on a"
                            + " GPU)")
    private @Nullable Long memory;

    @Option(
            names = "--activation-limit",
            paramLabel = "DURATION",
            description = "With --invoker docker or openwhisk: time limit of an activation, after which it is killed"
                    + " (default: 60s)")
    private @Nullable Duration limit;

    @Option(
            names = "--image",
            paramLabel = "NAME",
            description =
                    "Image of the worker, or of the Java runtime; with --invoker docker or openwhisk (default: the"
                            + " image that docker/build makes; on a GPU, the one of docker/build gpu)")
    private @Nullable String image;

    @Option(
            names = "--action",
            paramLabel = "NAME",
            description = "With --invoker openwhisk: name of the action (default: fleetgrad-worker)")
    private @Nullable String action;

    @Option(
            names = "--action-kind",
            paramLabel = "KIND",
            description = "With --invoker openwhisk: what the action consists of. docker: the worker's image; java: the"
                    + " worker's jar, which runs in the image of docker/build java-runtime (default: docker)")
    private @Nullable ActionKind actionKind;

    @Option(
            names = "--server-address",
            paramLabel = "ADDRESS",
            description =
                    "With --invoker openwhisk: an address of this machine that OpenWhisk's containers can reach; the"
                            + " parameter server listens on it")
    private @Nullable String serverAddress;

    /** Returns the name of the worker's image that docker/build makes. */
    static String usualImage() {
        return usualImage("worker");
    }

    private static String usualImage(String name) {
        // As docker/build tags it: OpenWhisk accepts no upper-case letter in a tag.
        return "fleetgrad/%s:%s".formatted(name, BuildVersion.text().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns where the workers are.
     *
     * @param devices of the workers; the image and the memory of a worker on a GPU are others
     */
    public InvokerSettings settings(DeviceSettings devices) {
        require(
                command,
                kind == Kind.OPENWHISK || (action == null && actionKind == null && serverAddress == null),
                "--action, --action-kind and --server-address are options of --invoker openwhisk; the invoker is "
                        + kind.name().toLowerCase(Locale.ROOT));
        if (kind == Kind.LOCAL) {
            require(
                    command,
                    memory == null && limit == null && image == null,
                    "--memory, --activation-limit and --image are options of --invoker docker and openwhisk; the invoker is local");
            return new InvokerSettings.Local();
        }
        long bytes = memory != null ? memory : devices.isOnGpus() ? ON_GPU : USUAL;
        Duration longest = limit == null ? Duration.ofSeconds(60) : limit;
        require(
                command,
                bytes >= SMALLEST,
                "--memory must be 134m or more, which a worker takes before its network; it is %dm"
                        .formatted(bytes >> 20));
        require(
                command,
                longest.compareTo(SHORTEST) >= 0,
                "--activation-limit must be 5s or more, or a worker has no time to train; it is %dms"
                        .formatted(longest.toMillis()));
        String name = image != null ? image : devices.isOnGpus() ? usualImage() + "-gpu" : usualImage();
        if (kind == Kind.DOCKER) {
            return new InvokerSettings.InDocker(name, bytes, longest);
        }
        require(
                command,
                serverAddress != null,
                "--invoker openwhisk needs --server-address: an address of this machine that OpenWhisk's containers can reach, such as 172.17.0.1 for an OpenWhisk on this machine's Docker");
        ActionKind stores = actionKind == null ? ActionKind.DOCKER : actionKind;
        require(
                command,
                stores == ActionKind.DOCKER || image != null || !devices.isOnGpus(),
                "--action-kind java: docker/build makes no Java runtime with libtorch for CUDA; leave --device out, or pass --action-kind docker");
        String runtime = image == null && stores == ActionKind.JAVA ? usualImage("java-runtime") : name;
        String stored = action == null ? "fleetgrad-worker" : action;
        requireValid("--image", () -> ActionDefinition.requireImage(runtime));
        requireValid("--action", () -> ActionDefinition.requireName(stored));
        return new InvokerSettings.InOpenWhisk(stored, stores, runtime, bytes, longest, String.valueOf(serverAddress));
    }

    /** Checks OpenWhisk's rules before a controller is called. */
    private void requireValid(String option, Runnable rule) {
        try {
            rule.run();
        } catch (IllegalArgumentException invalid) {
            require(command, false, "%s: %s".formatted(option, invalid.getMessage()));
        }
    }
}
