package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.persistence.TrainingState;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run as the files of a checkpoint: {@code parameters.safetensors} opens in PyTorch, {@code
 * state.safetensors} has the optimizer's state and the pending gradients, {@code training.json} everything else. A file
 * has at most 2 GB: more state continues in {@code state-2.safetensors}, {@code state-3.safetensors} and so on, each
 * with complete arrays.
 */
final class StateFiles {

    static final String PARAMETERS = "parameters.safetensors";
    static final String STATE = "state.safetensors";
    static final String TRAINING = "training.json";

    /** Half of what a file can have: most arrays of large models fit. */
    private static final long MAX_STATE_BYTES = 1L << 30;

    private static final int PIECE_VALUES = 16 * 1024;

    private static final String OPTIMIZER = "optimizer:";
    private static final String HISTORY = "history:";
    private static final String PENDING = "pending";
    private static final String NEXT_PENDING = "pending:";
    private static final String STAGED = "staged:";

    private StateFiles() {}

    /** A state and its position in the journal. */
    record Saved(TrainingState state, Position position) {}

    /**
     * The position of a state.
     *
     * @param segment    number of the journal segment whose entries follow the state, if there is a journal
     * @param isFinal    whether the run was shut down cleanly after it
     * @param arithmetic the settings that computed it
     */
    record Position(Optional<Integer> segment, boolean isFinal, Arithmetic arithmetic) {}

    static List<CheckpointFile> write(TrainingState state, Position position) {
        return write(state, position, MAX_STATE_BYTES);
    }

    /**
     * @param maxBytes of the arrays in a state file, unless one array is longer
     */
    static List<CheckpointFile> write(TrainingState state, Position position, long maxBytes) {
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
        List<CheckpointFile> files = new ArrayList<>();
        files.add(CheckpointFile.of(PARAMETERS, parameters(state)));
        files.addAll(stateFiles(arrays, maxBytes));
        files.add(CheckpointFile.of(TRAINING, TrainingJson.write(state, position)));
        return files;
    }

    private static List<CheckpointFile> stateFiles(Map<String, float[]> arrays, long maxBytes) {
        List<CheckpointFile> files = new ArrayList<>();
        Map<String, float[]> group = new LinkedHashMap<>();
        long bytes = 0;
        for (Map.Entry<String, float[]> array : arrays.entrySet()) {
            long more = (long) Float.BYTES * array.getValue().length;
            if (!group.isEmpty() && bytes + more > maxBytes) {
                files.add(file(stateName(files.size() + 1), group));
                group = new LinkedHashMap<>();
                bytes = 0;
            }
            group.put(array.getKey(), array.getValue());
            bytes += more;
        }
        files.add(file(stateName(files.size() + 1), group));
        return files;
    }

    /**
     * Makes a file of complete float32 arrays, which must not change until it is written: a checkpoint needs no second copy.
     */
    private static CheckpointFile file(String name, Map<String, float[]> arrays) {
        List<TensorSpec> specs = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, float[]> array : arrays.entrySet()) {
            specs.add(TensorSpec.f32(array.getKey(), array.getValue().length));
            bytes += (long) Float.BYTES * array.getValue().length;
        }
        byte[] header = SafetensorsHeader.encode(TensorLayout.inOrder(specs), Map.of(), 0);
        List<float[]> values = List.copyOf(arrays.values());
        return new CheckpointFile(name, header.length + bytes, out -> {
            out.write(header);
            write(values, out);
        });
    }

    private static void write(List<float[]> arrays, OutputStream out) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_VALUES * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float[] array : arrays) {
            for (int at = 0; at < array.length; at += PIECE_VALUES) {
                int count = Math.min(PIECE_VALUES, array.length - at);
                piece.asFloatBuffer().put(array, at, count);
                out.write(piece.array(), 0, count * Float.BYTES);
            }
        }
    }

    private static String stateName(int number) {
        return number == 1 ? STATE : "state-%d.safetensors".formatted(number);
    }

    private static TensorSet parameters(TrainingState state) {
        Map<String, String> metadata = new TreeMap<>(state.metadata());
        metadata.put("format", "pt");
        metadata.put(ParameterVersion.GENERATION_KEY, state.version().generation());
        metadata.put(ParameterVersion.VERSION_KEY, Long.toString(state.version().version()));
        return TensorSet.ofFloats(state.layout(), state.parameters(), metadata);
    }

    /** Reads a state; the exception names the file that is invalid. */
    static Saved read(Checkpoint checkpoint) throws IOException {
        try {
            return readFiles(checkpoint);
        } catch (SafetensorsException | RuntimeException malformed) {
            throw new UnreadableStateException(
                    "the files of %s do not fit together: %s"
                            .formatted(checkpoint.manifest().name(), malformed.getMessage()),
                    malformed);
        }
    }

    private static Saved readFiles(Checkpoint checkpoint) throws IOException, SafetensorsException {
        TensorSet parameters = checkpoint.parameters();
        TensorLayout layout = TensorLayout.canonical(parameters.layout().specs());
        Map<String, float[]> arrays = new LinkedHashMap<>();
        Optional<byte[]> file = Optional.of(file(checkpoint, STATE));
        // The manifest was checked: no file is missing.
        for (int number = 2; file.isPresent(); number++) {
            read(file.get(), arrays);
            file = checkpoint.file(stateName(number));
        }
        Map<String, float[]> buffers = new LinkedHashMap<>();
        NavigableMap<Long, float[]> history = new TreeMap<>();
        NavigableMap<Integer, float[]> pending = new TreeMap<>();
        Map<Integer, float[]> staged = new TreeMap<>();
        for (Map.Entry<String, float[]> array : arrays.entrySet()) {
            String name = array.getKey();
            if (name.startsWith(OPTIMIZER)) {
                buffers.put(name.substring(OPTIMIZER.length()), array.getValue());
            } else if (name.startsWith(HISTORY)) {
                history.put(Long.valueOf(name.substring(HISTORY.length())), array.getValue());
            } else if (name.startsWith(NEXT_PENDING)) {
                pending.put(Integer.valueOf(name.substring(NEXT_PENDING.length())), array.getValue());
            } else if (name.startsWith(STAGED)) {
                staged.put(Integer.valueOf(name.substring(STAGED.length())), array.getValue());
            } else {
                pending.put(0, array.getValue());
            }
        }
        TrainingJson rest = TrainingJson.read(file(checkpoint, TRAINING));
        Map<String, String> metadata = new TreeMap<>(parameters.metadata());
        metadata.keySet().removeAll(List.of(ParameterVersion.GENERATION_KEY, ParameterVersion.VERSION_KEY));
        TrainingState state = rest.state(
                checkpoint.manifest().parameterVersion(),
                layout,
                metadata,
                parameters.toFloats(layout),
                buffers,
                List.copyOf(pending.values()),
                List.copyOf(staged.values()),
                history);
        return new Saved(state, rest.position());
    }

    private static void read(byte[] file, Map<String, float[]> arrays) throws SafetensorsException {
        TensorSet tensors = Safetensors.decode(ByteBuffer.wrap(file), SafetensorsLimits.OWN_FILES);
        for (TensorSpec spec : tensors.layout().specs()) {
            float[] values = new float[(int) spec.elementCount()];
            tensors.bytes(spec.name()).orElseThrow().asFloatBuffer().get(values);
            arrays.put(spec.name(), values);
        }
    }

    private static byte[] file(Checkpoint checkpoint, String name) throws IOException {
        return checkpoint
                .file(name)
                .orElseThrow(() -> new UnreadableStateException(
                        "%s has no file %s".formatted(checkpoint.manifest().name(), name), null));
    }

    /** The files of a checkpoint are intact, but do not form a state. */
    static final class UnreadableStateException extends IOException {

        private static final long serialVersionUID = 1L;

        UnreadableStateException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
