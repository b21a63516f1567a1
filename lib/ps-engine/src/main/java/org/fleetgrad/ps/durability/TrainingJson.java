package org.fleetgrad.ps.durability;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.durability.StateFiles.Position;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.work.WorkQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of a run's state that is not tensors. Pending and staged gradients are without their values.
 *
 * @param numbers of the optimizer
 * @param answers of each worker, the most recently active last
 */
record TrainingJson(
        Position position,
        Map<String, Long> numbers,
        Optional<TrainingState.Pending> pending,
        List<GradientMetadata> staged,
        Map<String, List<Answer>> answers,
        Map<String, Long> clocks,
        List<Worker> members,
        TrainingStatistics.State counts,
        Optional<WorkQueue.State> work,
        RunHistory.State course) {

    private static final JsonFormat.Value AS_ARRAY = JsonFormat.Value.forShape(JsonFormat.Shape.ARRAY);

    /** Of answers and points there may be thousands, so each is an array. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .withConfigOverride(Answer.class, each -> each.setFormat(AS_ARRAY))
            .withConfigOverride(RunHistory.Point.class, each -> each.setFormat(AS_ARRAY))
            .withConfigOverride(RunHistory.Evaluation.class, each -> each.setFormat(AS_ARRAY))
            .build();

    /** The outcome of a push that was taken, which has a version and perhaps a staleness, or of one that was dropped. */
    record Answer(
            long sequence, @Nullable Long version, @Nullable Long staleness) {

        static Answer of(long sequence, PushOutcome outcome) {
            if (outcome instanceof PushOutcome.Applied applied) {
                return new Answer(sequence, applied.version(), applied.staleness());
            }
            if (outcome instanceof PushOutcome.Buffered buffered) {
                return new Answer(sequence, buffered.version(), null);
            }
            if (outcome instanceof PushOutcome.Dropped) {
                return new Answer(sequence, null, null);
            }
            throw new IllegalStateException("an accepted push cannot have the outcome " + outcome);
        }

        PushOutcome outcome() {
            if (version == null) {
                return new PushOutcome.Dropped();
            }
            return staleness == null ? new PushOutcome.Buffered(version) : new PushOutcome.Applied(version, staleness);
        }
    }

    static byte[] write(TrainingState state, Position position) {
        Map<String, List<Answer>> answers = new LinkedHashMap<>();
        state.answers().forEach((worker, known) -> {
            List<Answer> list = new ArrayList<>();
            known.forEach((sequence, outcome) -> list.add(Answer.of(sequence, outcome)));
            answers.put(worker, list);
        });
        return JSON.writeValueAsBytes(new TrainingJson(
                position,
                state.optimizer().numbers(),
                state.pending().map(pending -> pending.with(List.of())),
                state.staged().stream().map(Gradient::metadata).toList(),
                answers,
                state.clocks(),
                state.members().stream().map(Worker::persisted).toList(),
                state.counts(),
                state.work(),
                state.course()));
    }

    /** Reads what {@link #write} wrote; throws a {@link RuntimeException} if it is invalid. */
    static TrainingJson read(byte[] bytes) {
        JsonNode all = JSON.readTree(bytes);
        // Before there were loss weights, each sample counted as one.
        if (all.path("pending") instanceof ObjectNode waiting && !waiting.has("weights")) {
            waiting.set("weights", waiting.path("samples"));
        }
        all.path("staged").forEach(each -> {
            if (each instanceof ObjectNode gradient && !gradient.has("lossWeight")) {
                gradient.putNull("lossWeight");
            }
        });
        // Before rollbacks were marked in the course, there were none in it.
        if (all.path("course") instanceof ObjectNode course && !course.has("rollbacks")) {
            course.putArray("rollbacks");
        }
        // Before shards could be added to the work, there were none.
        if (all.path("work") instanceof ObjectNode work && !work.has("added")) {
            work.putNull("added");
        }
        return JSON.treeToValue(all, TrainingJson.class);
    }

    /**
     * Returns the complete state.
     *
     * @param waiting      the values of the pending gradients
     * @param stagedValues the values of the staged gradients
     */
    TrainingState state(
            ParameterVersion version,
            TensorLayout layout,
            Map<String, String> metadata,
            float[] parameters,
            Map<String, float[]> optimizer,
            List<float[]> waiting,
            List<float[]> stagedValues,
            NavigableMap<Long, float[]> history) {
        if (pending.isPresent() && waiting.isEmpty()) {
            throw new IllegalArgumentException("gradients wait for a step, but their values are missing");
        }
        if (staged.size() != stagedValues.size()) {
            throw new IllegalArgumentException(
                    "%d gradients are staged, with the values of %d".formatted(staged.size(), stagedValues.size()));
        }
        List<Gradient> undecided = new ArrayList<>();
        for (GradientMetadata each : staged) {
            undecided.add(new Gradient(each, stagedValues.get(undecided.size())));
        }
        Map<String, NavigableMap<Long, PushOutcome>> outcomes = new LinkedHashMap<>();
        answers.forEach((worker, list) -> {
            NavigableMap<Long, PushOutcome> known = new TreeMap<>();
            list.forEach(answer -> known.put(answer.sequence(), answer.outcome()));
            outcomes.put(worker, known);
        });
        return new TrainingState(
                version,
                layout,
                metadata,
                parameters,
                new RuleState(numbers, optimizer),
                pending.map(figures -> figures.with(waiting)),
                undecided,
                outcomes,
                clocks,
                members,
                counts,
                history,
                work,
                course);
    }
}
