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

/** Reads content that writes itself, by a thread that lives until {@link #close}. */
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
        // INVARIANT: a failure is known before the reader sees the end that it causes.
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

    /** What the content writes; it ends early where the content fails. */
    InputStream in() {
        return in;
    }

    /** What ended the content early, if anything has. */
    Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    /** Ends the writer, whose next write fails, and waits for it. */
    @Override
    public void close() throws IOException {
        in.close();
        try {
            ended.await();
        } catch (InterruptedException interrupted) {
            // The writer ends by itself at its next write; the caller decides what an interrupt means.
            Thread.currentThread().interrupt();
        }
    }
}
