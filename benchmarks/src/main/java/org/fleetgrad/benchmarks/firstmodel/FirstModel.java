package org.fleetgrad.benchmarks.firstmodel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.JvmProcessorTime;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.PythonScript;
import org.fleetgrad.runs.settings.OptimizationSettings;

/**
 * Measures what a user waits for: the seconds from Enter to LeNet-5 with 98% on MNIST, by the command as it is built, and by a
 * plain script. Both have batches of 32, the same optimizer, and two processors.
 */
public record FirstModel(Workbench bench) {

    private static final String NAME = "first-model";
    private static final double TARGET = 0.98;
    private static final int BATCH = 32;
    private static final int THREADS = 2;
    private static final double GOAL_SECONDS = 3.0;
    private static final double GOAL_PROCESSOR_SECONDS = 6.0;
    private static final String RIVAL = "PyTorch in one process, 2 threads, evaluated every 250 steps";

    public List<Result> measure() throws Exception {
        Optional<String> missing = bench.mnist().isEmpty()
                ? Optional.of("write --mnist DIR, a folder with MNIST's IDX files")
                : PythonScript.missing("torch", "numpy");
        if (missing.isEmpty() && !JvmProcessorTime.isKnown()) {
            missing = Optional.of("it needs /proc");
        }
        if (missing.isPresent()) {
            return List.of(Missing.skipped(NAME, missing.get()));
        }
        Path data = bench.mnist().get().toAbsolutePath();
        AtomicInteger runs = new AtomicInteger();
        Path folder = bench.scratch(NAME);
        // Whatever is not built yet is built now, and both sides' files are in the system's cache.
        double[] unused = ours(data, folder, runs);
        Comparison<Boolean> both =
                bench.compareAll(List.of(true, false), isOurs -> isOurs ? ours(data, folder, runs) : script(data));
        return figures(both);
    }

    private double[] ours(Path data, Path folder, AtomicInteger runs) throws IOException, InterruptedException {
        Path out = folder.resolve("run-" + runs.incrementAndGet());
        return FleetgradRun.measure(bench.programs(), data, out, TARGET);
    }

    private double[] script(Path data) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (LineProcess python = PythonScript.start(
                bench,
                "first_model.py",
                data.toString(),
                Double.toString(TARGET),
                Integer.toString(BATCH),
                Double.toString(OptimizationSettings.DEFAULT.learningRate()),
                Float.toString(OptimizationSettings.MOMENTUM),
                Integer.toString(THREADS))) {
            Course course = new Course(python.handle(), begin);
            while (!course.has(Moment.TARGET)) {
                String[] words = python.hear().split(" ");
                Moment moment = Moment.valueOf(words[0]);
                course.reach(moment);
                if (moment == Moment.TARGET) {
                    course.samples(Long.parseLong(words[1]));
                }
            }
            python.await();
            course.reach(Moment.EXIT);
            return course.values();
        }
    }

    private static List<Result> figures(Comparison<Boolean> both) {
        List<Result> figures = new ArrayList<>();
        for (Moment moment : Course.MOMENTS) {
            Figure figure = figure(
                    both,
                    moment == Moment.TARGET ? NAME : "%s-%s".formatted(NAME, moment.suffix()),
                    "from Enter to " + moment.what(),
                    Course.MOMENTS.indexOf(moment),
                    "s");
            figures.add(moment == Moment.GRADIENT ? figure.atMost(GOAL_SECONDS) : figure);
        }
        figures.add(figure(
                        both,
                        NAME + "-processor",
                        "processor time until the first gradient, of all programs",
                        Course.PROCESSOR,
                        "s")
                .atMost(GOAL_PROCESSOR_SECONDS));
        figures.add(figure(both, NAME + "-samples", "training samples until the target", Course.SAMPLES, "samples"));
        return figures;
    }

    private static Figure figure(Comparison<Boolean> both, String name, String what, int index, String unit) {
        return Figure.of(name, what).ours(both.of(true, index), unit).rival(both.of(false, index), RIVAL);
    }
}
