package org.fleetgrad.cli.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.load.LoadProtocol;
import org.fleetgrad.load.LoadSettings;
import org.fleetgrad.load.LoadTarget;
import org.fleetgrad.load.question.BodyFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where a load sends requests, how, and how often. */
final class LoadOptions {

    private static final int PORT = 29_600;
    /** The one that docs/inference.md opens. */
    private static final int GRPC_PORT = 29_601;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "Address of the service, the inference API (default: http://127.0.0.1:29600, or :29601 for grpc); may be repeated,"
                            + " then each client calls them in turn. For https, FLEETGRAD_TRUST may name a PEM file to trust.")
    private List<String> urls = new ArrayList<>();

    @Option(
            names = "--protocol",
            defaultValue = "predict",
            description =
                    "How to speak with the service: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); v2 is the Open"
                            + " Inference Protocol, grpc the same over gRPC. With both --url may be any server of the protocol")
    private LoadProtocol protocol = LoadProtocol.PREDICT;

    @Option(
            names = "--model-name",
            paramLabel = "NAME",
            defaultValue = "fleetgrad",
            description = "Name of the model, with --protocol v2 or grpc (default: ${DEFAULT-VALUE})")
    private String model = "fleetgrad";

    @Option(
            names = "--token-url",
            paramLabel = "URL",
            description =
                    "Address of the service that issues tokens for the keys of the environment (default: that of --url);"
                            + " a port of gRPC issues none")
    private @Nullable String tokenUrl;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Number of clients; each keeps one connection for the whole run (default: 4)")
    private @Nullable Integer clients;

    @Option(
            names = "--ramp",
            paramLabel = "N,N,...",
            split = ",",
            description = "Numbers of clients in place of --clients: a phase with each, one after the other, such as"
                    + " 1,24,48,96")
    private @Nullable List<Integer> ramp;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Requests of each phase, of all its clients together (default: ${DEFAULT-VALUE})")
    private long requests;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = {
                "Requests per second of all clients together. Each is due at its own time, whether or not a client is"
                        + " free, and its latency counts from then, so it includes waiting",
                "(default: each client sends its next request when it has the response to its last one)"
            })
    private @Nullable Double rate;

    @Option(
            names = "--batch",
            paramLabel = "B",
            defaultValue = "1",
            description = "Images of a request (default: ${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--format",
            defaultValue = "json",
            description = "Format of a request: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}); png is one image;"
                    + " safetensors is the smallest, and costs the server least to read")
    private BodyFormat format = BodyFormat.JSON;

    @Option(
            names = "--feedback",
            description =
                    "After each response, send the labels of its images as feedback on it; GET /feedback of the service"
                            + " then has the accuracy that the load measures")
    private boolean feedback;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Longest wait for a connection, or for a piece of a response (default: ${DEFAULT-VALUE})")
    private Duration timeout = Duration.ofSeconds(10);

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Seed of the order of samples and of the generated digits: use the training run's seed to get"
                    + " its held-out digits (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--join",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Send no requests: join the CSV files of several hosts into one result")
    private List<Path> join = new ArrayList<>();

    LoadSettings settings() {
        if (clients != null && ramp != null) {
            throw new IllegalArgumentException("--clients and --ramp both say how many clients there are; write one");
        }
        if (protocol != LoadProtocol.PREDICT && (feedback || format != BodyFormat.JSON)) {
            throw new IllegalArgumentException("%s is of --protocol predict; with %s requests are tensors of bytes"
                    .formatted(
                            feedback ? "--feedback" : "--format",
                            protocol.name().toLowerCase(Locale.ROOT)));
        }
        if (!model.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new IllegalArgumentException(
                    "--model-name must be 1 to 100 letters, digits, dots, dashes or underscores; it is '%s'"
                            .formatted(Printable.text(model)));
        }
        List<Integer> phases = ramp != null ? ramp : List.of(clients == null ? 4 : clients);
        return new LoadSettings(
                phases, requests, rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate), feedback);
    }

    LoadTarget target() {
        List<String> all = urls;
        if (all.isEmpty()) {
            all = List.of("http://127.0.0.1:" + (protocol == LoadProtocol.GRPC ? GRPC_PORT : PORT));
        }
        LoadTarget target = LoadTarget.ofEnvironment(all, timeout, System.getenv());
        return tokenUrl == null ? target : target.withTokensOf(tokenUrl, System.getenv());
    }

    LoadProtocol protocol() {
        return protocol;
    }

    String model() {
        return model;
    }

    int batch() {
        if (batch < 1) {
            throw new IllegalArgumentException("--batch must be 1 or more; it is " + batch);
        }
        return batch;
    }

    BodyFormat format() {
        return format;
    }

    long seed() {
        return seed;
    }

    List<Path> join() {
        return join;
    }
}
