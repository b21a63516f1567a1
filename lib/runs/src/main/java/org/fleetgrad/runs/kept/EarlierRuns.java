package org.fleetgrad.runs.kept;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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

    /** Of all tables that are read, for which the start of a run waits: about eight runs of a week, which take 0.7 s. */
    static final long MOST_BYTES = 100_000_000;

    /** After this time no further table is read. */
    static final long MOST_NANOS = Duration.ofSeconds(2).toNanos();

    private EarlierRuns() {}

    /**
     * Writes the curves into a run's folder. A run without them is the same run, so what goes wrong is told and nothing else.
     *
     * @param folder  of the run that begins, which is not among them
     * @param dataset name of its dataset
     * @return the file; empty if there are no such runs
     */
    public static Optional<Path> write(Path folder, String dataset, KeptRuns runs, Consumer<String> teller) {
        return write(folder, dataset, runs, teller, System::nanoTime);
    }

    static Optional<Path> write(
            Path folder, String dataset, KeptRuns runs, Consumer<String> teller, LongSupplier nanoTime) {
        try {
            List<EarlierRun> earlier = of(folder, dataset, runs, teller, nanoTime);
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

    private static List<EarlierRun> of(
            Path folder, String dataset, KeptRuns runs, Consumer<String> teller, LongSupplier nanoTime)
            throws IOException, RunFailedException {
        List<EarlierRun> earlier = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long begin = nanoTime.getAsLong();
        long bytes = 0;
        int leftOut = 0;
        for (KeptRun run : runs.all()) {
            boolean isLike =
                    run.facts().dataset().equals(dataset) && !run.folder().equals(folder);
            if (!isLike || earlier.size() == EarlierRunsReply.MOST_RUNS) {
                continue;
            }
            long size = CurveReading.size(run.folder(), TABLE);
            if (bytes + size > MOST_BYTES || nanoTime.getAsLong() - begin > MOST_NANOS) {
                leftOut++;
                continue;
            }
            bytes += size;
            List<EarlierPoint> points = points(run.folder());
            if (!points.isEmpty()) {
                String name = names.add(run.title()) ? run.title() : "%s (%s)".formatted(run.title(), run.folderName());
                earlier.add(new EarlierRun(name, points));
            }
        }
        if (leftOut > 0) {
            teller.accept(
                    "the dashboard leaves out %d earlier runs: of their curves %d MB are read before a run begins, for %d s"
                            .formatted(leftOut, MOST_BYTES / 1_000_000, TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS)));
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
