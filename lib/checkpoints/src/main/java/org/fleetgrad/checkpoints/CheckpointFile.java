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
 * A file of a checkpoint that is to be written. Bytes and buffers are not copied: they must keep their content until
 * {@link Checkpoints#write} returns.
 *
 * @param name    letters, digits, {@code .}, {@code -} and {@code _}, not beginning with a dot; at most 100 of them
 * @param bytes   its length, at most {@link #MOST_BYTES}
 * @param content writes it; called once or more, and always writes the same bytes
 */
public record CheckpointFile(String name, long bytes, Content content) {

    /** Longest file: what one array holds. */
    public static final long MOST_BYTES = Integer.MAX_VALUE - 8L;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

    /** Checks the name and the length. */
    public CheckpointFile {
        requireName(name);
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "'%s' of a checkpoint has from 0 to %d bytes, not %d".formatted(name, MOST_BYTES, bytes));
        }
    }

    /** A file of these bytes. */
    public static CheckpointFile of(String name, byte[] bytes) {
        return new CheckpointFile(name, bytes.length, out -> out.write(bytes));
    }

    /** A file of what the buffers hold from position to limit, one after the other; they stay as they are. */
    public static CheckpointFile of(String name, ByteBuffer... buffers) {
        // Positions are the caller's to move once this has returned.
        List<ByteBuffer> views =
                Arrays.stream(buffers).map(ByteBuffer::asReadOnlyBuffer).toList();
        long bytes = views.stream().mapToLong(ByteBuffer::remaining).sum();
        return new CheckpointFile(name, bytes, out -> write(views, out));
    }

    /** A safetensors file of these tensors and their metadata. */
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

    /** Tells whether a checkpoint's folder may hold a file of this name, the manifest among them. */
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
