package org.fleetgrad.store;

import java.io.IOException;
import java.io.OutputStream;
import org.fleetgrad.files.Content;

/**
 * Content that fails unless it has the announced length. The last byte is written only after the content has ended
 * without failure: the service waits for that byte, so it stores nothing of failed content.
 *
 * @param name    the object's name
 * @param bytes   the announced length
 * @param content writes the bytes
 */
record ExactContent(ObjectName name, long bytes, Content content) implements Content {

    ExactContent {
        if (bytes < 0) {
            throw new IllegalArgumentException("%s cannot have %d bytes".formatted(name, bytes));
        }
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        ExactStream stream = new ExactStream(out);
        content.writeTo(stream);
        stream.finish();
    }

    private final class ExactStream extends OutputStream {

        private final OutputStream out;
        private long written;
        private int last;

        ExactStream(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (length > bytes - written) {
                throw new IOException("%s was announced with %d bytes, but has more".formatted(name, bytes));
            }
            written += length;
            if (written < bytes) {
                out.write(source, offset, length);
            } else {
                out.write(source, offset, length - 1);
                last = source[offset + length - 1];
            }
        }

        void finish() throws IOException {
            if (written != bytes) {
                throw new IOException("%s was announced with %d bytes, but has %d".formatted(name, bytes, written));
            }
            if (bytes > 0) {
                out.write(last);
            }
        }
    }
}
