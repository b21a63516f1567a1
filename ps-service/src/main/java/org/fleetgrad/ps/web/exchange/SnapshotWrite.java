package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a snapshot to a client as fast as the client takes it. A slow reader holds its version, and {@link SlowClients} bounds
 * for how long, and how many threads wait for such readers. No thread waits for the reader of a large version.
 */
final class SnapshotWrite implements WriteListener, SlowClients.Transfer {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotWrite.class);

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final ParameterSnapshot snapshot;

    /** Its position is what the client has taken: the container moves it as it writes. */
    private final ByteBuffer file;

    private final SlowClients clients;
    private final long begunNanos = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private boolean isHanded;

    private SnapshotWrite(
            AsyncContext async,
            ServletOutputStream out,
            ParameterSnapshot snapshot,
            ByteBuffer file,
            SlowClients clients) {
        this.async = async;
        this.out = out;
        this.snapshot = snapshot;
        this.file = file;
        this.clients = clients;
    }

    /**
     * Begins to write, and returns at once. Lets go of the snapshot and completes {@code async} at the end, also if it
     * throws.
     *
     * @param file the snapshot in some encoding
     */
    static void begin(AsyncContext async, ParameterSnapshot snapshot, ByteBuffer file, SlowClients clients)
            throws IOException {
        SnapshotWrite write = new SnapshotWrite(async, async.getResponse().getOutputStream(), snapshot, file, clients);
        clients.watch(write);
        try {
            async.addListener(new AnswerEnd(write::end));
            write.out.setWriteListener(write);
        } catch (RuntimeException gone) {
            write.onError(gone);
        }
    }

    /** Writes in this thread, which was taken from {@code clients}, and gives it back. The caller lets go of the snapshot. */
    static void here(
            ServletRequest request,
            ServletResponse response,
            ParameterSnapshot snapshot,
            ByteBuffer file,
            SlowClients clients)
            throws IOException {
        Here write = new Here(request, snapshot.version(), file);
        clients.watch(write);
        try {
            response.getOutputStream().write(file);
        } finally {
            clients.forget(write);
            clients.giveBackThread();
        }
    }

    /** A small version, for which a thread waits. */
    private static final class Here implements SlowClients.Transfer {

        private final ServletRequest request;
        private final ParameterVersion version;
        private final ByteBuffer file;
        private final long begunNanos = System.nanoTime();

        Here(ServletRequest request, ParameterVersion version, ByteBuffer file) {
            this.request = request;
            this.version = version;
            this.file = file;
        }

        @Override
        public long begunNanos() {
            return begunNanos;
        }

        @Override
        public long movedBytes() {
            return file.position();
        }

        @Override
        public boolean isReader() {
            return true;
        }

        @Override
        public void cut(String why) {
            LOG.warn("a reader of {} is too slow, its connection is closed: {}", version, why);
            Connections.cut(request, why);
        }
    }

    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            if (isHanded) {
                end();
                return;
            }
            // In one piece: to be called back for each of many costs a large pull a third of its time.
            isHanded = true;
            out.write(file);
        }
    }

    @Override
    public void onError(Throwable gone) {
        LOG.debug("a reader of {} is gone", snapshot.version(), gone);
        end();
    }

    private void end() {
        if (!isOver.compareAndSet(false, true)) {
            return;
        }
        clients.forget(this);
        snapshot.close();
        try {
            async.complete();
        } catch (IllegalStateException over) {
            LOG.debug("the connection ended first", over);
        }
    }

    @Override
    public long begunNanos() {
        return begunNanos;
    }

    @Override
    public long movedBytes() {
        return file.position();
    }

    @Override
    public boolean isReader() {
        return true;
    }

    @Override
    public void cut(String why) {
        LOG.warn("a reader of {} is too slow, its connection is closed: {}", snapshot.version(), why);
        Connections.cut(async.getRequest(), why);
    }
}
