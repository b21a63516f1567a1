package org.fleetgrad.pipeline.run;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.RuleState;
import org.fleetgrad.pipeline.channel.socket.FrameCodec;
import org.fleetgrad.pipeline.training.StageState;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * One stage's part of a flush as a safetensors file: its tensors under the network's names, the optimizer's arrays under
 * names with a slash, such as {@code optimizer/momentum_buffer}, and all counters as metadata. Stateless.
 */
public final class FlushPart {

    private static final String STEPS = "steps";
    private static final String NUMBER = "number/";
    private static final String RANGE = "blocks";

    private FlushPart() {}

    /** Returns the name of a stage's file in a flush's folder. */
    public static String fileName(int stage) {
        return "stage-%d.safetensors".formatted(stage);
    }

    /**
     * Writes a part atomically and durably.
     *
     * @return the length of the file, in bytes
     */
    public static long write(Path file, BlockRange range, StageState state) throws IOException {
        List<TensorSpec> specs = new ArrayList<>();
        List<FloatBuffer> values = new ArrayList<>();
        add(range.parameters(), state.parameters(), specs, values);
        add(range.state(), state.state(), specs, values);
        state.optimizer().buffers().forEach((name, buffer) -> {
            specs.add(TensorSpec.f32(name, buffer.length));
            values.add(FloatBuffer.wrap(buffer));
        });
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(STEPS, Long.toString(state.steps()));
        metadata.put(RANGE, range.toString());
        state.optimizer().numbers().forEach((name, number) -> metadata.put(NUMBER + name, Long.toString(number)));
        TensorLayout layout = TensorLayout.inOrder(specs);
        byte[] header = SafetensorsHeader.encode(layout, metadata, 0);
        AtomicFile.write(file, out -> {
            out.write(header);
            for (FloatBuffer each : values) {
                FrameCodec.write(each, out);
            }
        });
        return header.length + layout.byteLength();
    }

    private static void add(TensorLayout layout, float[] values, List<TensorSpec> specs, List<FloatBuffer> buffers) {
        FloatBuffer all = FloatBuffer.wrap(values);
        for (TensorSpec spec : layout.specs()) {
            int count = Math.toIntExact(spec.elementCount());
            specs.add(spec);
            buffers.add(all.slice(all.position(), count));
            all.position(all.position() + count);
        }
    }

    /**
     * Opens a file without reading its values, which are read from disk when they are needed.
     *
     * @throws IOException if it cannot be read, or is no safetensors file
     */
    public static TensorSet open(Path file) throws IOException {
        try {
            return Safetensors.map(file);
        } catch (SafetensorsException broken) {
            throw new IOException("%s is no safetensors file: %s".formatted(file, broken.getMessage()), broken);
        }
    }

    /**
     * Reads the state of a stage.
     *
     * @throws IOException if the file is not a part of these blocks
     */
    public static StageState read(Path file, BlockRange range) throws IOException {
        TensorSet set = open(file);
        String blocks = set.metadata().getOrDefault(RANGE, "");
        if (!blocks.equals(range.toString())) {
            throw new IOException("%s has the '%s', this stage the '%s': resume with the cut of the run"
                    .formatted(file, blocks, range));
        }
        try {
            Map<String, Long> numbers = new LinkedHashMap<>();
            set.metadata().forEach((key, value) -> {
                if (key.startsWith(NUMBER)) {
                    numbers.put(key.substring(NUMBER.length()), Long.valueOf(value));
                }
            });
            Map<String, float[]> buffers = new LinkedHashMap<>();
            for (TensorSpec spec : set.layout().specs()) {
                if (range.parameters().indexOf(spec.name()).isEmpty()
                        && range.state().indexOf(spec.name()).isEmpty()) {
                    float[] values = new float[Math.toIntExact(spec.elementCount())];
                    set.bytes(spec.name()).orElseThrow().asFloatBuffer().get(values);
                    buffers.put(spec.name(), values);
                }
            }
            return new StageState(
                    Long.parseLong(set.metadata().getOrDefault(STEPS, "")),
                    range.parametersOf(set),
                    range.stateOf(set),
                    new RuleState(numbers, buffers));
        } catch (IllegalArgumentException broken) {
            throw new IOException("%s is no part of a flush: %s".formatted(file, broken.getMessage()), broken);
        }
    }
}
