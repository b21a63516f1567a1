package org.fleetgrad.e2e.pages;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierPoint;
import org.fleetgrad.protocol.messages.RunMessages.EarlierRunsReply.EarlierRun;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import tools.jackson.databind.json.JsonMapper;

/**
 * The figures of a run that nobody made.
 *
 * @param status  of it now
 * @param history its course
 */
record MadeUpRun(StatusReply status, HistoryReply history) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(usual -> usual.withValueInclusion(Include.NON_NULL))
            .build();
    private static final String GENERATION = "5f2c9a1e";
    private static final int POINTS = 1500;
    private static final int BATCH = 32;
    private static final double RATE = 4000;

    /** Returns a server without parameters. */
    static MadeUpRun without() {
        StatusReply.Work none = new StatusReply.Work("mnist", 5, 6, 60_000, 0, 0, 0, false);
        return new MadeUpRun(
                status(0, 0, List.of(), none, false),
                new HistoryReply(200, "", System.currentTimeMillis(), List.of(), List.of(), List.of(), List.of()));
    }

    /**
     * Returns a run that has learned for a while.
     *
     * @param hours   for so long
     * @param workers so many
     * @param epochs  of its work; 0 for no end
     */
    static MadeUpRun of(double hours, int workers, int epochs) {
        Random random = new Random(1);
        long now = System.currentTimeMillis();
        double stepMs = hours * 3_600_000 / POINTS;
        List<HistoryReply.Point> points = new ArrayList<>();
        List<HistoryReply.Evaluation> evaluations = new ArrayList<>();
        long samples = 0;
        for (int i = 0; i < POINTS; i++) {
            long time = now - Math.round((POINTS - 1 - i) * stepMs);
            double rate = random.nextInt(20) == 0 ? RATE / 4 : RATE * (0.8 + 0.4 * random.nextDouble());
            samples += Math.round(i == 0 ? 0 : rate * stepMs / 1000);
            long version = samples / BATCH;
            double learned = 1 - Math.exp(-30.0 * i / POINTS);
            points.add(new HistoryReply.Point(
                    time,
                    version,
                    samples,
                    2.3 - 2.2 * learned,
                    i == 0 ? null : (Double) rate,
                    workers - 1 + random.nextDouble(),
                    workers,
                    Map.of("applied", version)));
            if (i % 3 == 1) {
                evaluations.add(new HistoryReply.Evaluation(
                        time,
                        version,
                        0.1 + 0.88 * learned + 0.002 * random.nextDouble(),
                        0.999,
                        2.3 - 2.25 * learned));
            }
        }
        HistoryReply.Point middle = points.get(POINTS / 2);
        HistoryReply history = new HistoryReply(
                200,
                GENERATION,
                now,
                points,
                evaluations,
                IntStream.range(POINTS - 8, POINTS)
                        .mapToObj(i -> new HistoryReply.Checkpoint(
                                points.get(i).timeMs(), i, points.get(i).version()))
                        .toList(),
                List.of(new HistoryReply.Rollback(middle.timeMs(), middle.version() + 900, middle.version())));
        List<StatusReply.Worker> alive = IntStream.range(0, workers)
                .mapToObj(i -> worker("%08x".formatted(i * 0x9e3779b1), i))
                .toList();
        StatusReply.Work work = new StatusReply.Work(
                "a-dataset-with-a-long-name", epochs, 6, samples / 3, samples, 18, workers, epochs == 3);
        return new MadeUpRun(status(samples / BATCH, samples, alive, work, true), history);
    }

    private static StatusReply.Worker worker(String id, int i) {
        return new StatusReply.Worker(
                id,
                "worker-action, batches of 32, activation 3f1c77a9d0b14c0e9b2f5f1d9f0f6a21",
                i % 3 == 0 ? "NVIDIA H200 (cuda:0)" : "cpu",
                123_456,
                123_456,
                29_000,
                i % 2 == 0 ? (Long) 240_000L : null,
                new StatusReply.Shard(3, i, 4000, 10_000),
                null);
    }

    private static StatusReply status(
            long version, long samples, List<StatusReply.Worker> workers, StatusReply.Work work, boolean isBegun) {
        return new StatusReply(
                200,
                isBegun ? GENERATION : "",
                version,
                isBegun,
                10,
                61_706,
                "async",
                false,
                "SGD with momentum 0.9 and weight decay 0.0005",
                "gap-aware",
                "checkpoint",
                0.01,
                samples,
                isBegun ? (Double) 0.0625 : null,
                isBegun ? (Double) 0.981 : null,
                isBegun ? (Double) 0.999 : null,
                isBegun ? (Double) 0.0601 : null,
                null,
                null,
                null,
                null,
                isBegun ? (Long) version : null,
                9,
                2.4,
                0,
                isBegun ? Map.of("applied", version, "stale", version / 50) : Map.of(),
                36_000_000,
                workers,
                work,
                null);
    }

    /** Returns a run that learned a little slower. */
    private EarlierRunsReply earlier() {
        List<EarlierPoint> points = history.evaluations().stream()
                .limit(EarlierRunsReply.MOST_POINTS)
                .map(one -> new EarlierPoint(
                        (one.timeMs() - history.points().get(0).timeMs()) / 1000.0,
                        one.version(),
                        Objects.requireNonNull(one.accuracy()) - 0.05,
                        Objects.requireNonNull(one.loss()) + 0.1))
                .toList();
        return new EarlierRunsReply(
                200,
                points.isEmpty()
                        ? List.of()
                        : List.of(new EarlierRun("an-earlier-run-with-a-long-name-of-its-own", points)));
    }

    /** Answers with these figures from now on. */
    void toldBy(StandIn server) {
        server.tell("/status", JSON.writeValueAsString(status));
        server.tell("/history", JSON.writeValueAsString(history));
        server.tell("/earlierRuns", JSON.writeValueAsString(earlier()));
    }
}
