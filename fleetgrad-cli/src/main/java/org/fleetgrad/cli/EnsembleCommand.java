package org.fleetgrad.cli;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.fleetgrad.cli.server.ServerOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.ensemble.EnsembleServer;
import org.fleetgrad.ensemble.Vote;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fleetgrad ensemble}. */
@Command(
        name = "ensemble",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Answers each prediction with all workers of a run.",
            "It calls every worker whose address the parameter server's status lists, and combines their responses. A"
                    + " worker that does not respond in time, or trains another network, is left out and named."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad train --data DIR --workers 3 --serve-on-workers interleaved",
            "  fleetgrad ensemble --server http://127.0.0.1:29500 --port 29800 --vote mean"
        })
public final class EnsembleCommand implements Callable<Integer> {

    private static final int LAST_PORT = 65_535;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Option(
            names = "--port",
            defaultValue = "29800",
            description = "Port to listen on; 0: any free one (default: ${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--address",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, this machine only). Another one needs keys:"
                    + " ENSEMBLE_ACCESS_KEY and ENSEMBLE_SECRET_KEY (or ENSEMBLE_SECRET_KEY_FILE)")
    private String address = "127.0.0.1";

    @Option(
            names = "--vote",
            defaultValue = "majority",
            description = "How responses are combined: majority, the class that most workers choose; mean, the most"
                    + " probable class of the mean probabilities (default: ${DEFAULT-VALUE})")
    private Vote vote = Vote.MAJORITY;

    @Option(
            names = "--timeout",
            defaultValue = "500ms",
            paramLabel = "DURATION",
            description =
                    "Longest wait for a worker's response. A worker that takes longer is left out of this one, and"
                            + " is not called for a second (default: ${DEFAULT-VALUE})")
    private Duration timeout = Duration.ofMillis(500);

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        CommandSpec spec = Objects.requireNonNull(command);
        require(
                spec,
                port >= 0 && port <= LAST_PORT,
                "--port must be from 0 to %d; it is %d".formatted(LAST_PORT, port));
        require(
                spec,
                timeout.toMillis() >= 1 && timeout.compareTo(LONGEST) <= 0,
                "--timeout must be from 1ms to 1m; it is %d ms".formatted(timeout.toMillis()));
        InetSocketAddress listening = new InetSocketAddress(address, port);
        require(
                spec,
                !listening.isUnresolved(),
                "--address must be one of this machine; '%s' is none".formatted(address));
        // With several servers, the lead: every worker registers there.
        PsClient lead = server.clients().lead();
        try (EnsembleServer ensemble = start(listening, lead)) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "the ensemble answers at %s/predict, by %s, until Ctrl-C; %s%n",
                            ensemble.address(), vote.name().toLowerCase(Locale.ROOT), ensemble.describeMembers());
            spec.commandLine().getErr().flush();
            new CountDownLatch(1).await();
            return 0;
        }
    }

    private EnsembleServer start(InetSocketAddress listening, PsClient lead) throws RunFailedException {
        try {
            return EnsembleServer.start(listening, lead, timeout, vote, System.getenv());
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input(String.valueOf(wrong.getMessage()));
        } catch (IOException taken) {
            throw RunFailedException.remote(
                    "cannot listen on %s: %s; pass another --port".formatted(listening, taken.getMessage()));
        }
    }
}
