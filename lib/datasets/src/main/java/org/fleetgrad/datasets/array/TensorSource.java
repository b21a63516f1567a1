package org.fleetgrad.datasets.array;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A tensor in a safetensors file, whose header has been read.
 *
 * @param file   that has it
 * @param tensor its name
 * @param header type and shape, which take the bytes
 * @param from   place of its first byte in the file
 */
record TensorSource(Path file, String tensor, NpyHeader header, long from) implements ArraySource {

    @Override
    public String name() {
        return "%s: %s".formatted(file, tensor);
    }

    @Override
    public InputStream open() throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            in.skipNBytes(from);
            return new BufferedInputStream(new Part(in, mostBytes()));
        } catch (IOException failed) {
            in.close();
            throw failed;
        }
    }

    @Override
    public long mostBytes() {
        return header.fileBytes();
    }

    @Override
    public NpyArray array() {
        return new NpyArray(this, header);
    }

    /** Ends where the tensor does: another may be behind it. */
    private static final class Part extends FilterInputStream {

        private long left;

        Part(InputStream in, long bytes) {
            super(in);
            left = bytes;
        }

        @Override
        public int read() throws IOException {
            int read = left > 0 ? super.read() : -1;
            left -= read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length > 0 && left == 0) {
                return -1;
            }
            int read = super.read(into, offset, (int) Math.min(length, left));
            left -= Math.max(0, read);
            return read;
        }
    }
}
