package org.fleetgrad.evaluator;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.evaluator.outcome.OutcomeCsv;
import org.fleetgrad.evaluator.outcome.OutcomeTable;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.evaluator.samples.HeldOutSamples;
import org.fleetgrad.evaluator.source.ServerVersions;
import org.fleetgrad.evaluator.source.StoredVersions;
import org.fleetgrad.evaluator.source.Versions;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.fleetgrad.serving.evaluation.Evaluator;
import org.fleetgrad.serving.evaluation.TestSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleetgrad evaluate}. */
@Command(
        name = "fleetgrad evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = EvaluateCommand.Version.class,
        description = {
            "Measures each version on held-out samples: of checkpoints, or of a running parameter server. The figures are top-1,"
                    + " top-5 and loss, or of a text loss, perplexity and bits a character.",
            "Prints a row for each version, with an asterisk if it is the best so far, and the best version last, of"
                    + " classes with macro F1 and the classes that are least often right."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad evaluate --checkpoints runs/20260102-030405 --data DIR --csv evaluations.csv",
            "  fleetgrad evaluate --checkpoints model.safetensors --data DIR --json",
            "  fleetgrad evaluate --server http://127.0.0.1:29500 --data DIR --eval-freq 500"
        })
final class EvaluateCommand implements Callable<Integer> {

    /** Time for a server to restart. */
    private static final Duration RETRY_FOR = Duration.ofSeconds(15);

    private static final int INPUT = 3;
    private static final int CONFLICT = 409;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Mixin
    private final SampleOptions held = new SampleOptions();

    @Option(
            names = "--eval-freq",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Minimum number of versions (steps) from one evaluation to the next; the last version is always"
                            + " evaluated (default: ${DEFAULT-VALUE})")
    private long every;

    @Option(
            names = "--eval-batch-size",
            paramLabel = "N",
            defaultValue = "256",
            description = "Samples of a batch (default: ${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--max-evaluations",
            paramLabel = "N",
            description = "End after this many evaluations (default: no limit)")
    private @Nullable Long most;

    @Option(
            names = "--device",
            defaultValue = "cpu",
            description = "Device to compute on: cpu, or cuda:0 (default: ${DEFAULT-VALUE})")
    private String device = "cpu";

    @Option(names = "--csv", paramLabel = "FILE", description = "Write a row for each version to this file, at once")
    private @Nullable Path csv;

    @Option(names = "--json", description = "Print the result as JSON: one object, the last line of stdout")
    private boolean json;

    /** The source of the versions. */
    private static final class Source {

        @Option(
                names = "--checkpoints",
                paramLabel = "PATH",
                description =
                        "Checkpoints to read and evaluate, oldest first: a folder of checkpoints, one checkpoint's"
                                + " folder, a run's folder, a safetensors file, a folder of them, or s3://bucket/prefix")
        private @Nullable String checkpoints;

        @Option(
                names = "--server",
                paramLabel = "URL",
                description =
                        "Address of the parameter server to follow until its work is done or it ends, and to report each"
                                + " result to; of several, separated by commas. If it has keys, set FLEETGRAD_ACCESS_KEY and"
                                + " FLEETGRAD_SECRET_KEY (or FLEETGRAD_SECRET_KEY_FILE) to the evaluator's; for https,"
                                + " FLEETGRAD_TRUST may name a PEM file.")
        private @Nullable String server;
    }

    /** The build's version, from the jar's manifest. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String built = EvaluateCommand.class.getPackage().getImplementationVersion();
            return new String[] {"fleetgrad evaluate " + (built == null ? "unpackaged" : built)};
        }
    }

    @Override
    public Integer call() throws IOException {
        require(every >= 1, "--eval-freq must be 1 or more; it is " + every);
        require(batch >= 1, "--eval-batch-size must be 1 or more; it is " + batch);
        require(most == null || most >= 1, "--max-evaluations must be 1 or more; it is " + most);
        Device chosen = Device.parse(device);
        Optional<ParameterServers> servers = servers();
        Versions versions = servers.isPresent()
                ? new ServerVersions(
                        servers.get().lead()::status,
                        servers.get()::pull,
                        every,
                        Clock.systemUTC(),
                        Sleeper.THREAD,
                        this::log)
                : StoredVersions.at(String.valueOf(source.checkpoints), every, this::log);
        require(held.data().isPresent(), "Missing required option: '--data=DIR'");
        TestSet samples = HeldOutSamples.read(held.data().orElseThrow(), held.folder());
        Libtorch.require(chosen);
        try (OutcomeCsv file = csv == null ? null : OutcomeCsv.create(csv);
                VersionEvaluation evaluation = new VersionEvaluation(
                        samples,
                        Evaluator.inBatchesOf(batch, Clock.systemUTC()),
                        new NetworkClassifiers(chosen),
                        most == null ? Long.MAX_VALUE : most,
                        (outcome, version, isBest) -> {
                            print(OutcomeTable.row(outcome, isBest));
                            if (file != null) {
                                file.add(outcome);
                            }
                            if (servers.isPresent()) {
                                report(
                                        outcome.evaluation(),
                                        new Pulled(version.version(), version.parameters()),
                                        servers.get().lead());
                            }
                        },
                        this::log)) {
            print(OutcomeTable.head(samples.schema().task()));
            evaluate(versions, evaluation);
            return summarize(evaluation);
        }
    }

    private void evaluate(Versions versions, VersionEvaluation evaluation) throws IOException {
        try {
            versions.each(evaluation);
        } catch (InterruptedException | ClosedByInterruptException interrupted) {
            log("interrupted");
        }
    }

    private int summarize(VersionEvaluation evaluation) {
        Optional<EvaluationOutcome> best = evaluation.outcomes().best();
        best.map(OutcomeTable::best).ifPresent(this::print);
        best.flatMap(OutcomeTable::classes).ifPresent(this::print);
        if (json) {
            print(evaluation.outcomes().json());
        }
        return best.isPresent() ? 0 : INPUT;
    }

    private Optional<ParameterServers> servers() {
        return Optional.ofNullable(source.server)
                .map(addresses -> ParameterServers.of(
                        ServerAddresses.parse("--server", addresses),
                        ClientOptions.DEFAULT.withRetryFor(RETRY_FOR).withEnvironment(System.getenv())));
    }

    /** Reports an evaluation, as the inference API does; the server rejects it if its history is gone by now. */
    private void report(Evaluation evaluation, Pulled evaluated, PsClient lead) throws IOException {
        try {
            lead.putAccuracy(evaluation.report(), evaluated);
        } catch (ProblemException refused) {
            if (refused.problem().status() != CONFLICT) {
                throw refused;
            }
            log("the server no longer accepts the evaluation of version %s: %s"
                    .formatted(evaluation.version(), refused.getMessage()));
        }
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(command.commandLine(), message);
        }
    }

    private void print(String line) {
        PrintWriter out = command.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private void log(String line) {
        PrintWriter err = command.commandLine().getErr();
        err.println("fleetgrad: " + line);
        err.flush();
    }
}
