package org.fleetgrad.ps.web.control;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.training.Training;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /history}. */
@RestController
record HistoryController(RunHistory course, Training training, Clock clock) {

    private static final double MILLIS = 1000;

    @GetMapping(Routes.HISTORY)
    HistoryReply history(@RequestParam(defaultValue = "-1") long after) {
        RunHistory.State state = course.state();
        return new HistoryReply(
                200,
                training.generation(),
                clock.millis(),
                points(state.points()).stream()
                        .filter(point -> point.timeMs() > after)
                        .toList(),
                state.evaluations().stream()
                        .filter(point -> point.timeMs() > after)
                        .map(HistoryController::evaluation)
                        .toList(),
                state.checkpoints().stream().map(HistoryController::checkpoint).toList(),
                state.rollbacks().stream().map(HistoryController::rollback).toList());
    }

    private static List<HistoryReply.Point> points(List<RunHistory.Point> known) {
        List<HistoryReply.Point> points = new ArrayList<>(known.size());
        RunHistory.Point before = null;
        for (RunHistory.Point point : known) {
            points.add(new HistoryReply.Point(
                    point.timeMs(),
                    point.version(),
                    point.samples(),
                    point.loss().orElse(null),
                    samplesPerSecond(before, point),
                    staleness(before, point),
                    point.workers(),
                    new TreeMap<>(point.pushes())));
            before = point;
        }
        return points;
    }

    private static @Nullable Double samplesPerSecond(RunHistory.@Nullable Point before, RunHistory.Point point) {
        if (before == null || point.isFirst() || point.timeMs() <= before.timeMs()) {
            return null;
        }
        return MILLIS * (point.samples() - before.samples()) / (point.timeMs() - before.timeMs());
    }

    private static @Nullable Double staleness(RunHistory.@Nullable Point before, RunHistory.Point point) {
        long gradients = point.gradients() - (before == null ? 0 : before.gradients());
        long sum = point.stalenessSum() - (before == null ? 0 : before.stalenessSum());
        return gradients <= 0 || sum < 0 ? null : (double) sum / gradients;
    }

    private static HistoryReply.Evaluation evaluation(RunHistory.Evaluation point) {
        return new HistoryReply.Evaluation(
                point.timeMs(),
                point.version(),
                point.accuracy().orElse(null),
                point.accuracyTop5().orElse(null),
                point.loss().orElse(null));
    }

    private static HistoryReply.Checkpoint checkpoint(RunHistory.Checkpoint point) {
        return new HistoryReply.Checkpoint(point.timeMs(), point.number(), point.version());
    }

    private static HistoryReply.Rollback rollback(RunHistory.Rollback point) {
        return new HistoryReply.Rollback(point.timeMs(), point.from(), point.version());
    }
}
