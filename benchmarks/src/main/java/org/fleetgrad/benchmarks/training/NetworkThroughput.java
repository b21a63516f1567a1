package org.fleetgrad.benchmarks.training;

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
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/** Measures forward and backward of networks in one process, compared with PyTorch's eager mode. */
public record NetworkThroughput(Workbench bench) {

    private static final int BATCH = 32;
    private static final String SECONDS = "3";
    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("networks", missing.get()));
        }
        List<Result> results = new ArrayList<>();
        for (String name : List.of("lenet5", "resnet18", "resnet20", "vgg11")) {
            for (int threads = 1; threads <= 2; threads++) {
                results.add(measure(name, threads));
            }
        }
        return results;
    }

    private Figure measure(String name, int threads) throws Exception {
        bench.progress("networks: %s, %d threads", name, threads);
        NetworkSpec spec = (name.equals("lenet5") ? Networks.usual(name) : Networks.named(name, CIFAR, 10)).spec();
        bench.programs().makeRoomFor(spec.layout().byteLength());
        String batch = Integer.toString(BATCH);
        String count = Integer.toString(threads);
        try (LineProcess ours = bench.programs().startLikeWorker(NetworkCompute.class, spec.name(), batch, count);
                LineProcess pyTorch = PythonScript.start(bench, "network_throughput.py", name, batch, count)) {
            // Both sides must have started and warmed up before the first round.
            ours.ask(SECONDS);
            pyTorch.ask(SECONDS);
            Comparison.Pair pair = bench.compare(() -> ours.askNumber(SECONDS), () -> pyTorch.askNumber(SECONDS));
            return Figure.of(
                            "network-%s-%d".formatted(name, threads),
                            "forward and backward of %s, batches of %d, %d thread%s"
                                    .formatted(name, BATCH, threads, threads == 1 ? "" : "s"))
                    .ours(pair.ours(), "samples/s")
                    .rival(pair.other(), "PyTorch eager, same threads")
                    .ratioAtLeast(0.95);
        }
    }
}
