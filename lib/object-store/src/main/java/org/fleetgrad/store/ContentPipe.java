package org.fleetgrad.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.fleetgrad.files.Content;
import org.jspecify.annotations.Nullable;

/** Converts a {@link Content}, which is a writer, into a stream to read. A thread writes until {@link #close}. */
final class ContentPipe implements Closeable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final PipedInputStream in = new PipedInputStream(BUFFER_BYTES);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Exception failure;

    ContentPipe(String name, Content content) throws IOException {
        OutputStream out = new PipedOutputStream(in);
        Thread writer = new Thread(() -> write(content, out), "write-" + name);
        writer.setDaemon(true);
        writer.start();
    }

    private void write(Content content, OutputStream out) {
        // INVARIANT: the failure is recorded before the reader sees the end of the stream that it causes.
        try (out) {
            try {
                content.writeTo(out);
            } catch (IOException | RuntimeException failed) {
                failure = failed;
            }
        } catch (IOException closed) {
            failure = closed;
        } finally {
            ended.countDown();
        }
    }

    /** Returns the stream to read. It ends early if the content fails. */
    InputStream in() {
        return in;
    }

    /** Returns the failure that ended the content early, if there was one. */
    Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** Makes the writer's next write fail, and waits until the writer has ended. */
    @Override
    public void close() throws IOException {
        in.close();
        try {
            ended.await();
        } catch (InterruptedException interrupted) {
            // The writer ends at its next write anyway; the caller handles the interrupt.
            Thread.currentThread().interrupt();
        }
    }
}
