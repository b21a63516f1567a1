package org.fleetgrad.ps.durability;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.durability.StateFiles.Position;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.work.WorkQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The part of a run's state that is not tensors. */
final class TrainingJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private TrainingJson() {}

    /** The values read. */
    record Read(
            Position position,
            Map<String, Long> numbers,
            Optional<TrainingState.Pending> pending,
            List<TrainingState.Staged> staged,
            Map<String, NavigableMap<Long, PushOutcome>> answers,
            Map<String, Long> clocks,
            List<Worker> members,
            TrainingStatistics.State counts,
            Optional<WorkQueue.State> work,
            RunHistory.State course) {}

    static byte[] write(TrainingState state, Position position) {
        ObjectNode root = JSON.createObjectNode();
        position.segment().ifPresent(segment -> root.put("segment", segment));
        root.put("final", position.isFinal());
        root.putPOJO("arithmetic", position.arithmetic());
        root.putPOJO("optimizer", state.optimizer().numbers());
        state.pending().ifPresent(pending -> write(pending, root.putObject("pending")));
        ArrayNode staged = root.putArray("staged");
        state.staged().forEach(gradient -> staged.addPOJO(gradient.metadata().toMap()));
        ObjectNode answers = root.putObject("answers");
        state.answers().forEach((worker, known) -> {
            ArrayNode list = answers.putArray(worker);
            known.forEach((sequence, outcome) -> write(sequence, outcome, list.addArray()));
        });
        root.putPOJO("clocks", state.clocks());
        ArrayNode members = root.putArray("members");
        state.members().forEach(worker -> write(worker, members.addObject()));
        write(state.counts(), root.putObject("counts"));
        state.work().ifPresent(work -> WorkJson.write(work, root.putObject("work")));
        HistoryJson.write(state.course(), root.putObject("course"));
        return JSON.writeValueAsBytes(root);
    }

    private static void write(TrainingState.Pending pending, ObjectNode node) {
        node.put("weighted", pending.isWeighted());
        node.put("gradients", pending.gradients());
        node.put("samples", pending.samples());
        node.put("lossSum", pending.lossSum());
        node.put("batchSum", pending.batchSum());
        node.put("oldestBase", pending.oldestBase());
        pending.workers().stream().sorted().forEach(node.putArray("workers")::add);
    }

    private static void write(long sequence, PushOutcome outcome, ArrayNode node) {
        if (outcome instanceof PushOutcome.Applied applied) {
            node.add(sequence).add(applied.version()).add(applied.staleness());
        } else if (outcome instanceof PushOutcome.Buffered buffered) {
            node.add(sequence).add(buffered.version());
        } else if (outcome instanceof PushOutcome.Dropped) {
            node.add(sequence);
        } else {
            throw new IllegalStateException("an accepted push cannot have the outcome " + outcome);
        }
    }

    private static void write(Worker worker, ObjectNode node) {
        node.put("id", worker.id()).put("description", worker.description()).put("device", worker.device());
        worker.deadline().ifPresent(deadline -> node.put("deadline", deadline.toEpochMilli()));
        worker.activation().ifPresent(activation -> node.put("activation", activation));
    }

    private static void write(TrainingStatistics.State counts, ObjectNode node) {
        node.put("samples", counts.samples());
        counts.loss().ifPresent(loss -> node.put("loss", loss));
        node.put("worstStaleness", counts.worstStaleness());
        node.put("stalenessSum", counts.stalenessSum());
        node.put("gradients", counts.gradients());
        node.putPOJO("pushes", new TreeMap<>(counts.pushes()));
        node.put("samplesBefore", counts.samplesBefore());
        node.putPOJO("takenByWorker", new TreeMap<>(counts.takenByWorker()));
    }

    /**
     * Reads the values; throws a {@link RuntimeException} if one is invalid.
     *
     * @param waiting the tensors of the pending gradients
     * @param staged  the tensors of the gradients that another server decides about
     */
    static Read read(byte[] bytes, List<float[]> waiting, List<float[]> staged) {
        JsonNode root = JSON.readTree(bytes);
        Map<String, NavigableMap<Long, PushOutcome>> answers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> worker : root.required("answers").properties()) {
            NavigableMap<Long, PushOutcome> known = new TreeMap<>();
            worker.getValue().forEach(entry -> known.put(entry.required(0).asLong(), outcome(entry)));
            answers.put(worker.getKey(), known);
        }
        List<Worker> members = new ArrayList<>();
        root.required("members").forEach(worker -> members.add(worker(worker)));
        JsonNode segment = root.path("segment");
        return new Read(
                new Position(
                        segment.isMissingNode() ? Optional.empty() : Optional.of(segment.asInt()),
                        root.required("final").asBoolean(),
                        JSON.treeToValue(root.required("arithmetic"), Arithmetic.class)),
                numbers(root.required("optimizer")),
                root.has("pending") ? Optional.of(pending(root.required("pending"), waiting)) : Optional.empty(),
                staged(root.required("staged"), staged),
                answers,
                numbers(root.required("clocks")),
                members,
                counts(root.required("counts")),
                root.has("work") ? Optional.of(WorkJson.read(root.required("work"))) : Optional.empty(),
                HistoryJson.read(root.required("course")));
    }

    private static TrainingState.Pending pending(JsonNode node, List<float[]> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("gradients wait for a step, but their values are missing");
        }
        Set<String> workers = new HashSet<>();
        node.required("workers").forEach(worker -> workers.add(worker.asString()));
        return new TrainingState.Pending(
                values,
                node.required("weighted").asBoolean(),
                node.required("gradients").asInt(),
                node.required("samples").asLong(),
                node.required("lossSum").asDouble(),
                node.required("batchSum").asDouble(),
                node.required("oldestBase").asLong(),
                workers);
    }

    private static List<TrainingState.Staged> staged(JsonNode node, List<float[]> values) {
        List<TrainingState.Staged> all = new ArrayList<>();
        if (node.size() != values.size()) {
            throw new IllegalArgumentException(
                    "%d gradients are staged, with the values of %d".formatted(node.size(), values.size()));
        }
        for (JsonNode each : node) {
            Map<String, String> metadata = new TreeMap<>();
            each.properties()
                    .forEach(text -> metadata.put(text.getKey(), text.getValue().asString()));
            all.add(new TrainingState.Staged(GradientMetadata.parse(metadata), values.get(all.size())));
        }
        return all;
    }

    private static PushOutcome outcome(JsonNode entry) {
        if (entry.size() == 1) {
            return new PushOutcome.Dropped();
        }
        long version = entry.required(1).asLong();
        return entry.size() == 3
                ? new PushOutcome.Applied(version, entry.required(2).asLong())
                : new PushOutcome.Buffered(version);
    }

    private static Worker worker(JsonNode node) {
        JsonNode deadline = node.path("deadline");
        JsonNode activation = node.path("activation");
        return new Worker(
                        node.required("id").asString(),
                        node.required("description").asString(),
                        node.required("device").asString(),
                        deadline.isMissingNode()
                                ? Optional.empty()
                                : Optional.of(Instant.ofEpochMilli(deadline.asLong())),
                        Instant.EPOCH)
                .ofActivation(activation.isString() ? Optional.of(activation.asString()) : Optional.empty());
    }

    private static TrainingStatistics.State counts(JsonNode node) {
        JsonNode loss = node.path("loss");
        return new TrainingStatistics.State(
                node.required("samples").asLong(),
                loss.isMissingNode() ? Optional.empty() : Optional.of(loss.asDouble()),
                node.required("worstStaleness").asLong(),
                node.required("stalenessSum").asLong(),
                node.required("gradients").asLong(),
                numbers(node.required("pushes")),
                numbers(node.required("takenByWorker")),
                node.required("samplesBefore").asLong());
    }

    private static Map<String, Long> numbers(JsonNode node) {
        Map<String, Long> numbers = new TreeMap<>();
        node.properties()
                .forEach(entry -> numbers.put(entry.getKey(), entry.getValue().asLong()));
        return numbers;
    }
}
