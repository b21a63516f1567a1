package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** A safetensors file of complete float32 arrays, written from the arrays themselves: a checkpoint needs no second copy. */
final class FloatArraysFile {

    private static final int PIECE_VALUES = 16 * 1024;

    private FloatArraysFile() {}

    /** Makes a file of arrays, which must not change until it is written. */
    static CheckpointFile of(String name, Map<String, float[]> arrays) {
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
}
