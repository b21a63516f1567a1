package org.fleetgrad.runs.kept;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierPoint;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierRun;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The held-out curves of the newest runs on a dataset, for the dashboard of another. */
public final class EarlierRuns {

    /** Name of the file in a run's folder. */
    public static final String FILE = "earlier-runs.json";

    private static final String TABLE = "curves.csv";
    private static final String VERSION = "heldout/version";
    private static final String SECONDS = "seconds";
    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(usual -> usual.withValueInclusion(Include.NON_NULL))
            .build();

    private EarlierRuns() {}

    /**
     * Writes the curves into a run's folder. A run without them is the same run, so what goes wrong is told and nothing else.
     *
     * @param folder  of the run that begins, which is not among them
     * @param dataset name of its dataset
     * @return the file; empty if there are no such runs
     */
    public static Optional<Path> write(Path folder, String dataset, KeptRuns runs, Consumer<String> teller) {
        try {
            List<EarlierRun> earlier = of(folder, dataset, runs);
            if (earlier.isEmpty()) {
                return Optional.empty();
            }
            Path file = folder.resolve(FILE);
            AtomicFile.write(file, JSON.writeValueAsBytes(new EarlierRunsReply(200, earlier)));
            return Optional.of(file);
        } catch (IOException | RunFailedException failed) {
            teller.accept("the dashboard shows no earlier runs: " + failed.getMessage());
            return Optional.empty();
        }
    }

    private static List<EarlierRun> of(Path folder, String dataset, KeptRuns runs)
            throws IOException, RunFailedException {
        List<EarlierRun> earlier = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (KeptRun run : runs.all()) {
            boolean isLike =
                    run.facts().dataset().equals(dataset) && !run.folder().equals(folder);
            List<EarlierPoint> points =
                    isLike && earlier.size() < EarlierRunsReply.MOST_RUNS ? points(run.folder()) : List.of();
            if (!points.isEmpty()) {
                String name = names.add(run.title()) ? run.title() : "%s (%s)".formatted(run.title(), run.folderName());
                earlier.add(new EarlierRun(name, points));
            }
        }
        return earlier;
    }

    private static List<EarlierPoint> points(Path run) throws IOException {
        String accuracy = MeasureKind.ACCURACY.curve();
        String loss = MeasureKind.LOSS.curve();
        Map<String, List<Point>> curves = CurveReading.read(run, TABLE, VERSION, List.of(SECONDS, accuracy, loss));
        Map<Double, Double> accuracies = byVersion(curves.getOrDefault(accuracy, List.of()));
        Map<Double, Double> losses = byVersion(curves.getOrDefault(loss, List.of()));
        List<EarlierPoint> points = new ArrayList<>();
        for (Point time : curves.getOrDefault(SECONDS, List.of())) {
            @Nullable Double measured = accuracies.get(time.x());
            @Nullable Double lost = losses.get(time.x());
            if (measured != null || lost != null) {
                points.add(new EarlierPoint(time.y(), (long) time.x(), measured, lost));
            }
        }
        return thinned(points);
    }

    private static Map<Double, Double> byVersion(List<Point> curve) {
        Map<Double, Double> values = new HashMap<>();
        curve.forEach(point -> values.put(point.x(), point.y()));
        return values;
    }

    /** Leaves the last point, and as many before it as may be. */
    private static List<EarlierPoint> thinned(List<EarlierPoint> points) {
        int every = (points.size() + EarlierRunsReply.MOST_POINTS - 1) / EarlierRunsReply.MOST_POINTS;
        List<EarlierPoint> thinned = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            if ((points.size() - 1 - i) % every == 0) {
                thinned.add(points.get(i));
            }
        }
        return thinned;
    }
}
