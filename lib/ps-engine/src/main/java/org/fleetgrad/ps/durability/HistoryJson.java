package org.fleetgrad.ps.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.ps.history.RunHistory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A run's time series in a checkpoint: each point is an array, because there may be thousands. */
final class HistoryJson {

    private HistoryJson() {}

    static void write(RunHistory.State history, ObjectNode node) {
        ArrayNode points = node.putArray("points");
        for (RunHistory.Point point : history.points()) {
            ArrayNode values = points.addArray()
                    .add(point.timeMs())
                    .add(point.isFirst())
                    .add(point.version())
                    .add(point.samples());
            add(values, point.loss());
            values.add(point.gradients()).add(point.stalenessSum()).add(point.workers());
            values.addPOJO(new TreeMap<>(point.pushes()));
        }
        ArrayNode evaluations = node.putArray("evaluations");
        for (RunHistory.Evaluation point : history.evaluations()) {
            ArrayNode values = evaluations
                    .addArray()
                    .add(point.timeMs())
                    .add(point.version())
                    .add(point.accuracy());
            add(values, point.accuracyTop5());
            add(values, point.loss());
        }
        ArrayNode checkpoints = node.putArray("checkpoints");
        history.checkpoints()
                .forEach(taken -> checkpoints
                        .addArray()
                        .add(taken.timeMs())
                        .add(taken.number())
                        .add(taken.version()));
    }

    private static void add(ArrayNode values, Optional<Double> value) {
        if (value.isPresent()) {
            values.add(value.get());
        } else {
            values.addNull();
        }
    }

    /** Reads what {@link #write} wrote. */
    static RunHistory.State read(JsonNode node) {
        List<RunHistory.Point> points = new ArrayList<>();
        for (JsonNode point : node.required("points")) {
            points.add(new RunHistory.Point(
                    point.required(0).asLong(),
                    point.required(1).asBoolean(),
                    point.required(2).asLong(),
                    point.required(3).asLong(),
                    decimal(point.required(4)),
                    point.required(5).asLong(),
                    point.required(6).asLong(),
                    point.required(7).asInt(),
                    pushes(point.required(8))));
        }
        List<RunHistory.Evaluation> evaluations = new ArrayList<>();
        for (JsonNode point : node.required("evaluations")) {
            evaluations.add(new RunHistory.Evaluation(
                    point.required(0).asLong(),
                    point.required(1).asLong(),
                    point.required(2).asDouble(),
                    decimal(point.required(3)),
                    decimal(point.required(4))));
        }
        List<RunHistory.Checkpoint> checkpoints = new ArrayList<>();
        for (JsonNode point : node.required("checkpoints")) {
            checkpoints.add(new RunHistory.Checkpoint(
                    point.required(0).asLong(),
                    point.required(1).asLong(),
                    point.required(2).asLong()));
        }
        return new RunHistory.State(points, evaluations, checkpoints);
    }

    private static Optional<Double> decimal(JsonNode node) {
        return node.isNull() ? Optional.empty() : Optional.of(node.asDouble());
    }

    private static Map<String, Long> pushes(JsonNode node) {
        Map<String, Long> pushes = new TreeMap<>();
        node.properties()
                .forEach(entry -> pushes.put(entry.getKey(), entry.getValue().asLong()));
        return pushes;
    }
}
