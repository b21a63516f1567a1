package org.fleetgrad.inference.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The bytes of a message, which are read later. */
final class WholeMessage implements MethodDescriptor.Marshaller<byte[]> {

    private static final int FIRST = 8 * 1024;

    @Override
    public InputStream stream(byte[] message) {
        return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
        try {
            if (message instanceof KnownLength) {
                // Its bytes were counted when they arrived.
                byte[] bytes = new byte[message.available()];
                int read = message.readNBytes(bytes, 0, bytes.length);
                return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
            }
            return unpacked(message, Arrival.ofCall());
        } catch (IOException broken) {
            // The message is in memory; its compression may be broken.
            throw new UncheckedIOException(broken);
        }
    }

    /** A compressed message may become a thousand times as large, so each array is counted before it is made. */
    private static byte[] unpacked(InputStream message, @Nullable Arrival call) throws IOException {
        byte[] bytes = new byte[FIRST];
        int size = 0;
        while (true) {
            int read = message.readNBytes(bytes, size, bytes.length - size);
            size += read;
            if (size < bytes.length) {
                return Arrays.copyOf(bytes, size);
            }
            long next = 2L * bytes.length;
            // While one array is copied into the other, there are both.
            if (call != null && !call.unpack(next + bytes.length)) {
                return new byte[0];
            }
            bytes = Arrays.copyOf(bytes, (int) next);
        }
    }
}
