package org.fleetgrad.benchmarks.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures a step of each optimizer, beside the triad, which is as fast as memory, and PyTorch's optimizers. */
public record StepKernels(Workbench bench) {

    private static final double MICROS_IN_MILLI = 1_000;
    private static final List<Integer> THREADS = List.of(1, 2);
    private static final TimeValue ITERATION = new TimeValue(300, TimeUnit.MILLISECONDS);
    private static final int ITERATIONS = 3;

    /** The timed kernels: methods of {@link OptimizerKernels}, and the optimizers of its {@code step}. */
    private enum Kernel {
        TRIAD("a = b + s c", 12, ""),
        COPY("System.arraycopy", 8, ""),
        MOMENTUM("SGD with momentum", 20, "sgd"),
        ADAM("Adam", 28, "adam"),
        ADAMW("AdamW", 28, "adamw");

        private final String what;
        private final int bytes;
        private final String inTorch;

        Kernel(String what, int bytes, String inTorch) {
            this.what = what;
            this.bytes = bytes;
            this.inTorch = inTorch;
        }

        /** Describes the kernel and the fewest bytes that it must move. */
        String what() {
            return "%s, %.0f MB moved".formatted(what, (double) bytes * OptimizerKernels.PARAMETERS / 1e6);
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isOptimizer() {
            return !inTorch.isEmpty();
        }
    }

    /** One of our kernels, with 0 threads, or PyTorch's of the same name with so many threads. */
    private record Contender(Kernel kernel, int threads) {}

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("torch");
        Map<Integer, LineProcess> torch = new TreeMap<>();
        if (missing.isEmpty()) {
            String size = Integer.toString(OptimizerKernels.PARAMETERS);
            for (int threads : THREADS) {
                torch.put(threads, PythonScript.start(bench, "optimizers.py", size, Integer.toString(threads)));
            }
        }
        // Waits until every Python has started: a start would slow down the first kernel.
        for (LineProcess script : torch.values()) {
            script.ask(Kernel.MOMENTUM.inTorch);
        }
        Comparison<Contender> comparison =
                bench.compare(contenders(torch.keySet()), contender -> millis(contender, torch));
        List<Result> results = new ArrayList<>();
        results.add(figure(comparison, Kernel.COPY));
        for (Kernel kernel : Kernel.values()) {
            if (kernel.isOptimizer()) {
                Figure figure = figure(comparison, kernel);
                results.add(kernel == Kernel.MOMENTUM ? figure.ratioAtMost(1.5) : figure);
                torch.keySet().forEach(threads -> results.add(besideTorch(comparison, kernel, threads)));
            }
        }
        missing.ifPresent(reason -> results.add(Missing.skipped("kernel-torch", reason)));
        return results;
    }

    private static List<Contender> contenders(Iterable<Integer> torchThreads) {
        List<Contender> contenders = new ArrayList<>();
        for (Kernel kernel : Kernel.values()) {
            contenders.add(new Contender(kernel, 0));
            if (kernel.isOptimizer()) {
                torchThreads.forEach(threads -> contenders.add(new Contender(kernel, threads)));
            }
        }
        return contenders;
    }

    private static double millis(Contender contender, Map<Integer, LineProcess> torch) throws Exception {
        LineProcess script = torch.get(contender.threads());
        return script == null
                ? micros(contender.kernel()) / MICROS_IN_MILLI
                : script.askNumber(contender.kernel().inTorch);
    }

    private static Figure figure(Comparison<Contender> comparison, Kernel kernel) {
        return Figure.of("kernel-" + kernel.word(), "a step of 11.7 million parameters: " + kernel.what())
                .ours(comparison.of(new Contender(kernel, 0)), "ms")
                .limit(comparison.of(new Contender(Kernel.TRIAD, 0)), Kernel.TRIAD.what() + ", one thread");
    }

    private static Figure besideTorch(Comparison<Contender> comparison, Kernel kernel, int threads) {
        return Figure.of("kernel-%s-torch-%d".formatted(kernel.word(), threads), "the same beside PyTorch")
                .ours(comparison.of(new Contender(kernel, 0)), "ms")
                .rival(
                        comparison.of(new Contender(kernel, threads)),
                        "torch.optim with %d thread%s, the faster of fused and not"
                                .formatted(threads, threads == 1 ? "" : "s"));
    }

    /**
     * Runs JMH once: one fork under the server's garbage collector, with warm-up. Returns the microseconds of a kernel.
     */
    private static double micros(Kernel kernel) throws RunnerException {
        String method = kernel.isOptimizer() ? "step" : kernel.word();
        return new Runner(new OptionsBuilder()
                        .include("\\." + OptimizerKernels.class.getSimpleName() + "\\." + method + "$")
                        .param("optimizer", kernel.word())
                        .forks(1)
                        .jvmArgs("-Xmx1g", "-XX:+UseSerialGC")
                        .warmupIterations(ITERATIONS)
                        .warmupTime(ITERATION)
                        .measurementIterations(ITERATIONS)
                        .measurementTime(ITERATION)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }
}
