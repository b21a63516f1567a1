package org.fleetgrad.benchmarks.inference;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.benchmarks.training.ColourImages;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;

/**
 * Measures what dynamic batching makes of many requests with one image each: ResNet-18 behind HTTP, compared with
 * PyTorch's own forward of whole batches, without any HTTP, on as many threads.
 */
record BatchedAnswers(Workbench bench) {

    private static final int CLIENTS = 64;
    private static final int BATCH = 32;
    private static final int WARM_UP = 512;
    private static final int REQUESTS = 1_024;
    private static final String SECONDS = "5";
    /** An inference API computes with one. */
    private static final String THREADS = "1";

    Result measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        if (missing.isPresent()) {
            return Missing.skipped("inference-resnet18", missing.get());
        }
        NetworkDefinition network = Networks.named("resnet18", List.of(3, 32, 32), 10);
        bench.programs().makeRoomFor(network.spec().layout().byteLength());
        Programs.Server server = bench.programs().startServer(Map.of());
        server.putParameters(network);
        PredictLoad load = new PredictLoad(
                bench.programs().startInference(server, Map.of()).address(), ColourImages.generate(REQUESTS));
        LineProcess pyTorch = PythonScript.start(bench, "forward.py", "resnet18", Integer.toString(BATCH), THREADS);
        load.awaitModel();
        double unused = load.asFastAsAnswered(CLIENTS, WARM_UP).perSecond();
        Comparison.Pair pair = bench.compare(
                () -> told("ours", load.asFastAsAnswered(CLIENTS, REQUESTS).perSecond()),
                () -> told("PyTorch", pyTorch.askNumber(SECONDS)));
        return Figure.of(
                        "inference-resnet18",
                        "predictions of ResNet-18 at 32×32, one image a request, %d connections".formatted(CLIENTS))
                .ours(pair.ours(), "predictions/s")
                .rival(pair.other(), "PyTorch's forward of batches of %d, same threads, no HTTP".formatted(BATCH))
                .ratioAtLeast(0.9);
    }

    private double told(String side, double perSecond) {
        bench.progress("%s: %.1f images/s", side, perSecond);
        return perSecond;
    }
}
