package org.fleetgrad.checkpoints;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.files.Content;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A file to be written into a checkpoint. Bytes and buffers are not copied: they must not change until
 * {@link Checkpoints#write} returns.
 *
 * @param name    at most 100 letters, digits, {@code .}, {@code -} and {@code _}; the first is not a dot
 * @param bytes   its length, at most {@link #MAX_BYTES}
 * @param content writes the bytes; called once or more, and writes the same bytes each time
 */
public record CheckpointFile(String name, long bytes, Content content) {

    /** The longest file: the length of the longest array. */
    public static final long MAX_BYTES = Integer.MAX_VALUE - 8L;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    public CheckpointFile {
        requireName(name);
        if (bytes < 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "'%s' of a checkpoint must have 0 to %d bytes; it has %d".formatted(name, MAX_BYTES, bytes));
        }
    }

    /** Makes a file of these bytes. */
    public static CheckpointFile of(String name, byte[] bytes) {
        return new CheckpointFile(name, bytes.length, out -> out.write(bytes));
    }

    /**
     * Makes a file of the bytes that the buffers hold from position to limit, one buffer after the other. Positions and
     * limits are not changed.
     */
    public static CheckpointFile of(String name, ByteBuffer... buffers) {
        // Views, because the caller may move the positions after this call.
        List<ByteBuffer> views =
                Arrays.stream(buffers).map(ByteBuffer::asReadOnlyBuffer).toList();
        long bytes = views.stream().mapToLong(ByteBuffer::remaining).sum();
        return new CheckpointFile(name, bytes, out -> write(views, out));
    }

    /** Makes a safetensors file of these tensors and their metadata. */
    public static CheckpointFile of(String name, TensorSet tensors) {
        byte[] header = SafetensorsHeader.encode(tensors.layout(), tensors.metadata(), 0);
        return of(name, ByteBuffer.wrap(header), tensors.data());
    }

    private static void write(List<ByteBuffer> views, OutputStream out) throws IOException {
        WritableByteChannel channel = Channels.newChannel(out);
        for (ByteBuffer view : views) {
            ByteBuffer rest = view.duplicate();
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }
    }

    /** Returns whether a checkpoint's folder may contain a file of this name. The manifest counts too. */
    static boolean isStored(String name) {
        return NAME.matcher(name).matches();
    }

    static void requireName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(CheckpointManifest.FILE_NAME)) {
            throw new IllegalArgumentException(
                    "a file of a checkpoint has a name of at most 100 letters, digits, '.', '-' and '_' that does not "
                            + "begin with '.' and is not %s; not '%s'"
                                    .formatted(CheckpointManifest.FILE_NAME, Printable.text(name)));
        }
    }
}
