package org.fleetgrad.benchmarks.networks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/** Measures forward and backward of networks in one process, compared with PyTorch's eager mode. */
public record NetworkThroughput(Workbench bench) {

    private static final int BATCH = 32;
    private static final String SECONDS = "3";
    private static final double GOAL = 0.95;
    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    private enum Side {
        OURS,
        PYTORCH
    }

    /** Returns samples per second of each network, with one thread and with two. */
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
        Process ours =
                bench.programs().startLikeWorker(NetworkCompute.class, spec.name(), batch, Integer.toString(threads));
        try (BufferedReader answers = ours.inputReader(StandardCharsets.UTF_8)) {
            PythonScript pyTorch =
                    PythonScript.start(bench, "network_throughput.py", name, batch, Integer.toString(threads));
            // Both sides must have started and warmed up before the first round.
            ask(ours, answers);
            pyTorch.ask(SECONDS);
            Comparison<Side> comparison = bench.compare(
                    List.of(Side.values()),
                    side -> side == Side.OURS ? ask(ours, answers) : Double.parseDouble(pyTorch.ask(SECONDS)));
            return Figure.of(
                            "network-%s-%d".formatted(name, threads),
                            "forward and backward of %s, batches of %d, %d thread%s"
                                    .formatted(name, BATCH, threads, threads == 1 ? "" : "s"),
                            "samples/s",
                            comparison.of(Side.OURS))
                    .rival(comparison.of(Side.PYTORCH), "PyTorch eager, same threads")
                    .ratioAtLeast(GOAL);
        } finally {
            ours.destroy();
        }
    }

    private static double ask(Process process, BufferedReader answers) throws IOException {
        process.getOutputStream().write((SECONDS + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("%s ended instead of answering".formatted(NetworkCompute.class.getSimpleName()));
        }
        return Double.parseDouble(answer);
    }
}
