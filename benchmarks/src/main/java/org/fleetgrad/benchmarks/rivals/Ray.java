package org.fleetgrad.benchmarks.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.benchmarks.exchange.Model;
import org.fleetgrad.benchmarks.exchange.PushAndPull;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;

/** Measures a Ray actor that holds the parameters, compared with a push-and-pull through ps-client. */
public record Ray(Workbench bench) {

    public List<Result> measure() throws Exception {
        Optional<String> missing = PythonScript.missing("ray");
        if (missing.isPresent()) {
            return List.of(Missing.skipped("ray", missing.get()));
        }
        LineProcess ray = PythonScript.start(bench, "ray_server.py");
        // Starts Ray first: its start takes longer than some leases last.
        ray.ask("1");
        List<Result> results = new ArrayList<>();
        for (Model model : List.of(Model.SMALL, Model.LARGE)) {
            results.add(compare(ray, model));
        }
        return results;
    }

    private Figure compare(LineProcess ray, Model model) throws Exception {
        PushAndPull.Client ours = new PushAndPull.Client(model, model.serve(bench.programs()));
        String size = Long.toString(ours.values());
        // Both sides must have started and warmed up before the first round.
        ray.ask(size);
        ours.medianMicros();
        Comparison.Pair pair = bench.compare(
                () -> ours.medianMicros() / model.microsInUnit(), () -> ray.askNumber(size) / model.microsInUnit());
        return Figure.of("ray-" + model.word(), "push-and-pull, one worker, applied, through ps-client")
                .ours(pair.ours(), model.unit())
                .rival(pair.other(), "a Ray actor with SGD in NumPy");
    }
}
