package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.persistence.TrainingState;

/**
 * The state of a run as the files of a checkpoint: {@code parameters.safetensors} opens in PyTorch,
 * {@code state.safetensors} has the optimizer's state and the gradients that wait for a step, {@code training.json} the
 * rest.
 */
final class StateFiles {

    static final String PARAMETERS = "parameters.safetensors";
    static final String STATE = "state.safetensors";
    static final String TRAINING = "training.json";

    private static final String OPTIMIZER = "optimizer:";
    private static final String HISTORY = "history:";
    private static final String PENDING = "pending";
    private static final String NEXT_PENDING = "pending:";
    private static final String STAGED = "staged:";

    private StateFiles() {}

    /** A state and its position in the journal. */
    record Kept(TrainingState state, Position position) {}

    /**
     * The position of a state.
     *
     * @param segment    number of the journal segment whose entries follow the state, if there is a journal
     * @param isFinal    whether the run was stopped in order after it
     * @param arithmetic the settings that computed it
     */
    record Position(Optional<Integer> segment, boolean isFinal, Arithmetic arithmetic) {}

    static List<CheckpointFile> write(TrainingState state, Position position) {
        Map<String, float[]> arrays = new LinkedHashMap<>();
        state.optimizer().buffers().forEach((name, values) -> arrays.put(OPTIMIZER + name, values));
        state.history().forEach((version, values) -> arrays.put(HISTORY + version, values));
        state.pending().ifPresent(pending -> {
            for (int i = 0; i < pending.values().size(); i++) {
                arrays.put(i == 0 ? PENDING : NEXT_PENDING + i, pending.values().get(i));
            }
        });
        for (int i = 0; i < state.staged().size(); i++) {
            arrays.put(STAGED + i, state.staged().get(i).values());
        }
        return List.of(
                CheckpointFile.of(PARAMETERS, parameters(state)),
                CheckpointFile.of(STATE, arrays(arrays)),
                CheckpointFile.of(TRAINING, TrainingJson.write(state, position)));
    }

    private static TensorSet parameters(TrainingState state) {
        Map<String, String> metadata = new TreeMap<>(state.metadata());
        metadata.put("format", "pt");
        metadata.put(ParameterVersion.GENERATION_KEY, state.version().generation());
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(state.version().version()));
        return TensorSet.ofFloats(state.layout(), state.parameters(), metadata);
    }

    private static TensorSet arrays(Map<String, float[]> arrays) {
        List<TensorSpec> specs = new ArrayList<>();
        int total = 0;
        for (Map.Entry<String, float[]> array : arrays.entrySet()) {
            specs.add(TensorSpec.f32(array.getKey(), array.getValue().length));
            total = Math.addExact(total, array.getValue().length);
        }
        float[] all = new float[total];
        int at = 0;
        for (float[] values : arrays.values()) {
            System.arraycopy(values, 0, all, at, values.length);
            at += values.length;
        }
        return TensorSet.ofFloats(TensorLayout.inOrder(specs), all, Map.of());
    }

    /** Reads a state; the exception names the file that is invalid. */
    static Kept read(Checkpoint checkpoint) throws IOException {
        try {
            return readFiles(checkpoint);
        } catch (SafetensorsException | RuntimeException malformed) {
            throw new UnreadableStateException(
                    "the files of %s do not fit together: %s"
                            .formatted(checkpoint.manifest().name(), malformed.getMessage()),
                    malformed);
        }
    }

    private static Kept readFiles(Checkpoint checkpoint) throws IOException, SafetensorsException {
        TensorSet parameters = checkpoint.parameters();
        TensorLayout layout = TensorLayout.canonical(parameters.layout().specs());
        TensorSet arrays = Safetensors.decode(ByteBuffer.wrap(file(checkpoint, STATE)), SafetensorsLimits.OWN_FILES);
        Map<String, float[]> buffers = new LinkedHashMap<>();
        NavigableMap<Long, float[]> history = new TreeMap<>();
        NavigableMap<Integer, float[]> pending = new TreeMap<>();
        Map<Integer, float[]> staged = new TreeMap<>();
        for (TensorSpec spec : arrays.layout().specs()) {
            float[] values = new float[(int) spec.elementCount()];
            arrays.bytes(spec.name()).orElseThrow().asFloatBuffer().get(values);
            if (spec.name().startsWith(OPTIMIZER)) {
                buffers.put(spec.name().substring(OPTIMIZER.length()), values);
            } else if (spec.name().startsWith(HISTORY)) {
                history.put(Long.valueOf(spec.name().substring(HISTORY.length())), values);
            } else if (spec.name().startsWith(NEXT_PENDING)) {
                pending.put(Integer.valueOf(spec.name().substring(NEXT_PENDING.length())), values);
            } else if (spec.name().startsWith(STAGED)) {
                staged.put(Integer.valueOf(spec.name().substring(STAGED.length())), values);
            } else {
                pending.put(0, values);
            }
        }
        TrainingJson.Read rest = TrainingJson.read(
                file(checkpoint, TRAINING), List.copyOf(pending.values()), List.copyOf(staged.values()));
        Map<String, String> metadata = new TreeMap<>(parameters.metadata());
        metadata.keySet().removeAll(List.of(ParameterVersion.GENERATION_KEY, ParameterVersion.VERSION_KEY));
        TrainingState state = new TrainingState(
                checkpoint.manifest().parameterVersion(),
                layout,
                metadata,
                parameters.toFloats(layout),
                new RuleState(rest.numbers(), buffers),
                rest.pending(),
                rest.staged(),
                rest.answers(),
                rest.clocks(),
                rest.members(),
                rest.counts(),
                history,
                rest.work(),
                rest.course());
        return new Kept(state, rest.position());
    }

    private static byte[] file(Checkpoint checkpoint, String name) throws IOException {
        return checkpoint
                .file(name)
                .orElseThrow(() -> new UnreadableStateException(
                        "%s has no file %s".formatted(checkpoint.manifest().name(), name), null));
    }
}
