package org.fleetgrad.cli.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.cli.options.DataOptions;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.load.LoadClock;
import org.fleetgrad.load.LoadRun;
import org.fleetgrad.load.LoadSettings;
import org.fleetgrad.load.LoadTarget;
import org.fleetgrad.load.open.OpenTarget.Opened;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.result.CsvJoin;
import org.fleetgrad.load.result.LoadFigures;
import org.fleetgrad.load.result.LoadRecorder;
import org.fleetgrad.load.result.LoadResult;
import org.fleetgrad.load.result.LoadRow;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DataSettings;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.runs.shards.UnreadableData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fleetgrad load}. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures accuracy and latency of a running model.",
            "It sends held-out samples, as fast as you say.",
            "Ctrl-C ends it early; the results so far are written. docs/load.md explains the figures."
        },
        footer = {
            "",
            "Examples:",
            "  fleetgrad load --clients 4 --requests 2000 --rate 200 --data MNIST_DIR --json",
            "  fleetgrad load --protocol grpc --url http://127.0.0.1:29601 --clients 8",
            "  fleetgrad load --ramp 1,24,48,96 --requests 5000 --out loads/ramp",
            "  fleetgrad load --join host1.csv host2.csv --out loads/both"
        })
public final class LoadCommand implements Callable<Integer> {

    private static final int GENERATED_SAMPLES = 4_000;

    @Spec
    private @Nullable CommandSpec command;

    @Mixin
    private final LoadOptions options = new LoadOptions();

    @Mixin
    private final DataOptions data = new DataOptions();

    @Mixin
    private final LoadOutput output = new LoadOutput();

    @Override
    public Integer call() throws RunFailedException, InterruptedException {
        Terminal terminal = Terminal.ofProcess();
        if (!options.join().isEmpty()) {
            return join(options.join(), terminal);
        }
        LoadSettings settings;
        LoadTarget target;
        int batch;
        try {
            settings = options.settings();
            target = options.target();
            batch = options.batch();
        } catch (IllegalArgumentException wrong) {
            throw misused(wrong);
        }
        ImageSamples samples = samples();
        LoadRequests questions;
        try {
            questions = new LoadRequests(samples, batch, options.format(), options.seed());
        } catch (IllegalArgumentException wrong) {
            throw misused(wrong);
        }
        Opened opened = open(target, questions);
        Consumer<LoadRow> rows = output.open();
        try (LoadRun run = new LoadRun(
                settings, opened.questions(), opened.clients(), LoadClock.SYSTEM, System.currentTimeMillis(), rows)) {
            return load(run, target, new LoadProgress(settings, terminal), terminal);
        }
    }

    private Opened open(LoadTarget target, LoadRequests questions) throws RunFailedException {
        try {
            return target.open(options.protocol(), questions, options.model());
        } catch (IOException away) {
            throw RunFailedException.remote(
                    "the server does not say what the model '%s' takes: %s; correct --url or --model-name"
                            .formatted(options.model(), away.getMessage() == null ? away : away.getMessage()));
        } catch (IllegalArgumentException unfit) {
            throw RunFailedException.remote(String.valueOf(unfit.getMessage()));
        }
    }

    private int load(LoadRun run, LoadTarget target, LoadProgress progress, Terminal terminal)
            throws RunFailedException, InterruptedException {
        Interruption interruption = Interruption.of(run);
        try {
            try {
                run.connect();
            } catch (IOException away) {
                throw RunFailedException.remote(target.explain(away));
            }
            run.run(progress);
            LoadResult result = run.result();
            output.write(result, terminal);
            terminal.tell("%,d connections".formatted(run.connections()));
            return outcome(result.all());
        } finally {
            interruption.over();
        }
    }

    /** A run without a single usable response measured nothing. */
    private static int outcome(LoadFigures all) throws RunFailedException {
        if (all.failed() > 0 && all.failed() == all.requests()) {
            throw RunFailedException.remote("no request succeeded; the most frequent reason is: "
                    + all.failures().keySet().iterator().next());
        }
        return 0;
    }

    private int join(List<Path> files, Terminal terminal) throws RunFailedException {
        try {
            CsvJoin join = new CsvJoin(files);
            LoadRecorder recorder = new LoadRecorder(join.beginMs(), output.open());
            join.into(recorder);
            output.write(recorder.result(), terminal);
            return 0;
        } catch (IOException unreadable) {
            throw RunFailedException.input("--join: " + unreadable.getMessage());
        }
    }

    private ImageSamples samples() throws RunFailedException {
        DataSettings settings = data.settings();
        if (settings.folder().isEmpty()) {
            return PreparedDataset.heldOutDigits(GENERATED_SAMPLES, options.seed());
        }
        Path folder = settings.folder().get();
        try {
            if (DatasetFolder.read(folder, settings.options()).test() instanceof ImageSamples images) {
                return images;
            }
            throw RunFailedException.input("--data %s has no images, and load sends images".formatted(folder));
        } catch (IOException unreadable) {
            throw UnreadableData.of(folder, unreadable);
        }
    }

    private RuntimeException misused(IllegalArgumentException wrong) {
        return command == null
                ? wrong
                : new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
}
