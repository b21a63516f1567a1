package org.fleetgrad.benchmarks.inference;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.benchmarks.training.LargeFleet;
import org.fleetgrad.benchmarks.training.WarmFleet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.load.result.LoadFigures;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;

/**
 * Measures answers of LeNet-5: as many as the inference API gives, compared with FastAPI and PyTorch in one process;
 * and 200 requests per second beside one worker that trains, seen from both. Measures also what dynamic batching makes of
 * many requests with one image each: ResNet-18 behind HTTP, compared with PyTorch's own forward of whole batches.
 */
public record InferenceSpeed(Workbench bench) {

    private static final int DIGITS = 1_000;
    private static final int CONNECTIONS = 8;
    private static final int WARM_UP = 40_000;
    private static final int REQUESTS = 20_000;
    private static final int FASTAPI_WARM_UP = 2_000;
    private static final int FASTAPI_REQUESTS = 4_000;

    private static final double RATE = 200;
    private static final int RATE_CONNECTIONS = 4;
    private static final int RATE_REQUESTS = 2_000;

    private static final int BATCHED_CLIENTS = 64;
    private static final int BATCHED_WARM_UP = 512;
    private static final int BATCHED_REQUESTS = 1_024;

    private static final int SAMPLES = 10_000;
    private static final int EPOCHS = 12;

    private enum Beside {
        BOTH,
        TRAINING_ALONE,
        ANSWERING_ALONE
    }

    public List<Result> measure() throws Exception {
        Programs.Server server = bench.programs().startServerWithParameters();
        PredictLoad ours = new PredictLoad(inference(server), SyntheticDigits.generate(DIGITS, 2));
        ours.awaitModel();
        ours.asFastAsAnswered(CONNECTIONS, WARM_UP);
        List<Result> results = new ArrayList<>(answers(ours));
        results.addAll(besideTraining(server, ours));
        results.add(batched());
        return results;
    }

    private URI inference(Programs.Server server) throws IOException {
        return bench.programs().startInference(server, Map.of()).address();
    }

    private List<Result> answers(PredictLoad ours) throws Exception {
        Optional<String> missing = PythonScript.missing("fastapi", "uvicorn", "torch");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("inference", missing.get()));
        }
        LineProcess script = PythonScript.start(bench, "fastapi_server.py");
        PredictLoad fastapi = new PredictLoad(URI.create(script.ask("start")), SyntheticDigits.generate(DIGITS, 2));
        fastapi.awaitModel();
        fastapi.asFastAsAnswered(CONNECTIONS, FASTAPI_WARM_UP);
        Comparison.Pair pair = bench.compare(
                () -> told("ours", ours.asFastAsAnswered(CONNECTIONS, REQUESTS)),
                () -> told("FastAPI", fastapi.asFastAsAnswered(CONNECTIONS, FASTAPI_REQUESTS)));
        script.ask("stop");
        String rival = "FastAPI with PyTorch in one process";
        return List.of(
                Figure.of("inference", "predictions of LeNet-5, one image a request, 8 connections")
                        .ours(pair.ours(), "predictions/s")
                        .rival(pair.other(), rival)
                        .atLeast(5_000),
                Figure.of("inference-fastapi", "the same")
                        .ours(pair.ours(), "predictions/s")
                        .rival(pair.other(), rival)
                        .ratioAtLeast(4));
    }

    /** The rounds' own values show their spread. */
    private double told(String side, LoadFigures figures) {
        bench.progress(
                "%s: %.0f/s, p50 %.2f ms, p99 %.2f ms", side, figures.perSecond(), figures.p50Ms(), figures.p99Ms());
        return figures.perSecond();
    }

    private List<Figure> besideTraining(Programs.Server server, PredictLoad load) throws Exception {
        WarmFleet fleet = WarmFleet.start(bench, 1, SyntheticDigits.generate(SAMPLES, 1));
        double unused = fleet.train(server, EPOCHS);
        Comparison<Beside> comparison = bench.compareAll(List.of(Beside.values()), side -> switch (side) {
            case BOTH -> both(server, fleet, load);
            case TRAINING_ALONE -> {
                double speed = fleet.train(server, EPOCHS);
                bench.progress("training alone: %.0f samples/s", speed);
                yield new double[] {speed};
            }
            case ANSWERING_ALONE -> {
                LoadFigures figures = load.answered(RATE_CONNECTIONS, RATE_REQUESTS, OptionalDouble.of(RATE));
                bench.progress("answering alone: %s", latencies(figures));
                yield new double[] {figures.p99Ms()};
            }
        });
        return List.of(
                Figure.of("inference-p99", "99th percentile at 200 requests/s while one worker trains")
                        .ours(comparison.of(Beside.BOTH, 1), "ms")
                        .limit(comparison.of(Beside.ANSWERING_ALONE), "the same requests, nothing trains")
                        .atMost(10),
                Figure.of("training-beside-inference", "samples of one worker while 200 requests/s are answered")
                        .ours(comparison.of(Beside.BOTH), "samples/s")
                        .limit(comparison.of(Beside.TRAINING_ALONE), "the same training, nobody asks")
                        .ratioAtLeast(0.8));
    }

    private static String latencies(LoadFigures figures) {
        return "%d requests, p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, max %.1f ms"
                .formatted(figures.requests(), figures.p50Ms(), figures.p90Ms(), figures.p99Ms(), figures.maxMs());
    }

    private double[] both(Programs.Server server, WarmFleet fleet, PredictLoad load) throws Exception {
        PredictLoad.During both =
                load.during(RATE_CONNECTIONS, OptionalDouble.of(RATE), () -> fleet.train(server, EPOCHS));
        LoadFigures figures = PredictLoad.withoutFailures(both.asked());
        bench.progress("both: %.0f samples/s, %s", both.value(), latencies(figures));
        return new double[] {both.value(), figures.p99Ms()};
    }

    /** Compares with PyTorch without any HTTP, on one thread, as many as an inference API computes with. */
    private Result batched() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        if (missing.isPresent()) {
            return Missing.skipped("inference-resnet18", missing.get());
        }
        NetworkDefinition network = Networks.named("resnet18", List.of(3, 32, 32), 10);
        bench.programs().makeRoomFor(network.spec().layout().byteLength());
        Programs.Server server = bench.programs().startServer(Map.of());
        server.putParameters(network);
        PredictLoad load = new PredictLoad(inference(server), LargeFleet.images(BATCHED_REQUESTS));
        LineProcess pyTorch = PythonScript.start(bench, "forward.py", "resnet18", "32", "1");
        load.awaitModel();
        double unused = load.asFastAsAnswered(BATCHED_CLIENTS, BATCHED_WARM_UP).perSecond();
        Comparison.Pair pair = bench.compare(
                () -> told("ours", load.asFastAsAnswered(BATCHED_CLIENTS, BATCHED_REQUESTS)),
                () -> pyTorch.askNumber("5"));
        return Figure.of(
                        "inference-resnet18",
                        "predictions of ResNet-18 at 32×32, one image a request, %d connections"
                                .formatted(BATCHED_CLIENTS))
                .ours(pair.ours(), "predictions/s")
                .rival(pair.other(), "PyTorch's forward of batches of 32, same threads, no HTTP")
                .ratioAtLeast(0.9);
    }
}
