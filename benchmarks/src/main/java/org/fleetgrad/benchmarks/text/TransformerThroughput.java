package org.fleetgrad.benchmarks.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.benchmarks.training.NetworkCompute;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/**
 * Measures forward and backward of transformers in one process, compared with Hugging Face's GPT-2 and torchvision's ViT in
 * PyTorch's eager mode.
 */
public record TransformerThroughput(Workbench bench) {

    private static final String SECONDS = "5";

    /** The smallest recipe of nanoGPT, GPT-2 with a quarter of its context, and a vision transformer for small images. */
    private static final List<Case> CASES = List.of(
            new Case(
                    "nanogpt",
                    "nanoGPT's smallest GPT-2 (4 layers, width 128, 64 characters)",
                    "gpt2?context=64&heads=4&layers=4&vocabulary=65&width=128&dropout=0",
                    12),
            new Case("gpt2", "GPT-2 (124 million parameters, 256 tokens)", "gpt2?context=256&dropout=0", 1),
            new Case("vit", "a ViT for 32×32 (6 layers, width 128)", "vit", 32));

    /**
     * One network.
     *
     * @param network its name; what it omits is usual
     * @param batch   samples of a batch
     */
    private record Case(String label, String what, String network, int batch) {

        NetworkSpec spec() {
            return Networks.usual(network).spec();
        }
    }

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch", "torchvision", "transformers");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("text", missing.get()));
        }
        List<Result> results = new ArrayList<>();
        for (Case each : CASES) {
            for (int threads = 1; threads <= 2; threads++) {
                results.add(measure(each, threads));
            }
        }
        return results;
    }

    private Figure measure(Case of, int threads) throws Exception {
        bench.progress("text: %s, %d threads", of.label(), threads);
        NetworkSpec spec = of.spec();
        bench.programs().makeRoomFor(spec.layout().byteLength());
        String[] arguments = {spec.name(), Integer.toString(of.batch()), Integer.toString(threads)};
        try (LineProcess ours = bench.programs().startLikeWorker(NetworkCompute.class, arguments);
                LineProcess pyTorch = PythonScript.start(bench, "network_throughput.py", arguments)) {
            // Both sides must have started and warmed up before the first round.
            ours.ask(SECONDS);
            pyTorch.ask(SECONDS);
            Comparison.Pair pair = bench.compare(() -> ours.askNumber(SECONDS), () -> pyTorch.askNumber(SECONDS));
            int predictions = spec.task().predictions();
            return Figure.of(
                            "text-%s-%d".formatted(of.label(), threads),
                            "forward and backward of %s, batches of %d, %d thread%s"
                                    .formatted(of.what(), of.batch(), threads, threads == 1 ? "" : "s"))
                    .ours(
                            pair.ours().map(samples -> samples * predictions),
                            predictions == 1 ? "samples/s" : "tokens/s")
                    .rival(
                            pair.other().map(samples -> samples * predictions),
                            "PyTorch eager with transformers or torchvision, same threads")
                    .ratioAtLeast(0.95);
        }
    }
}
