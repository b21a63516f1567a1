package org.fleetgrad.benchmarks.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;

/**
 * Measures forward and backward of modules that python/fleetgrad_export.py made graphs of, compared with the zoo's same network and with
 * PyTorch's eager mode.
 */
public record GraphThroughput(Workbench bench) {

    private static final int BATCH = 32;
    private static final String SECONDS = "3";
    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch", "torchvision");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("graphs", missing.get()));
        }
        List<Result> results = new ArrayList<>();
        for (String name : List.of("resnet18", "resnet20", "vit")) {
            for (int threads = 1; threads <= 2; threads++) {
                results.addAll(measure(name, threads));
            }
        }
        return results;
    }

    private List<Figure> measure(String name, int threads) throws Exception {
        bench.progress("graphs: %s, %d threads", name, threads);
        boolean isTransformer = name.equals("vit");
        NetworkSpec spec = (isTransformer ? Networks.usual(name) : Networks.named(name, CIFAR, 10)).spec();
        String inPython = isTransformer ? spec.name() : name;
        bench.programs().makeRoomFor(spec.layout().byteLength());
        String batch = Integer.toString(BATCH);
        String count = Integer.toString(threads);
        try (LineProcess graph =
                        bench.programs().startLikeWorker(NetworkCompute.class, exported(inPython), batch, count);
                LineProcess zoo = bench.programs().startLikeWorker(NetworkCompute.class, spec.name(), batch, count);
                LineProcess eager = PythonScript.start(bench, "network_throughput.py", inPython, batch, count)) {
            List<LineProcess> sides = List.of(graph, zoo, eager);
            // All must have started and warmed up before the first round.
            for (LineProcess side : sides) {
                side.ask(SECONDS);
            }
            Comparison<LineProcess> compared = bench.compare(sides, side -> side.askNumber(SECONDS));
            String what = "forward and backward of an exported %s, batches of %d, %d thread%s"
                    .formatted(name, BATCH, threads, threads == 1 ? "" : "s");
            return List.of(
                    Figure.of("graph-%s-%d".formatted(name, threads), what)
                            .ours(compared.of(graph), "samples/s")
                            .rival(compared.of(zoo), "the zoo's, same threads")
                            .ratioAtLeast(0.95),
                    Figure.of("graph-%s-%d-eager".formatted(name, threads), what)
                            .ours(compared.of(graph), "samples/s")
                            .rival(compared.of(eager), "PyTorch eager, same threads")
                            .ratioAtLeast(0.95));
        }
    }

    private String exported(String name) throws Exception {
        String script = Programs.HOME.resolve("python/fleetgrad_export.py").toString();
        try (LineProcess exporter = PythonScript.start(bench, "graph_name.py", script, name)) {
            return exporter.ask("name");
        }
    }
}
