package org.fleetgrad.benchmarks.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.exchange.PushAndPull;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;

/** Measures a Ray actor that holds the parameters, compared with a push-and-pull through ps-client. */
public record Ray(Workbench bench) {

    private static final double MICROS_IN_MILLI = 1_000;

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("ray");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("ray", missing.get()));
        }
        LineProcess ray = PythonScript.start(bench, "ray_server.py");
        // Starts Ray first: its start takes longer than some leases last.
        ray.ask("1");
        List<Result> results = new ArrayList<>();
        results.add(compare(ray, PushAndPull.smallClient(bench), "247kb", "µs", 1));
        results.add(compare(ray, PushAndPull.largeClient(bench), "100mb", "ms", MICROS_IN_MILLI));
        return results;
    }

    private Figure compare(LineProcess ray, PushAndPull.Client ours, String word, String unit, double micros)
            throws Exception {
        String size = Long.toString(ours.values());
        // Both sides must have started and warmed up before the first round.
        ray.ask(size);
        ours.medianMicros();
        Comparison.Pair pair = bench.compare(ours::medianMicros, () -> ray.askNumber(size));
        return Figure.of("ray-" + word, "push-and-pull, one worker, applied, through ps-client")
                .ours(pair.ours().map(value -> value / micros), unit)
                .rival(pair.other().map(value -> value / micros), "a Ray actor with SGD in NumPy");
    }
}
