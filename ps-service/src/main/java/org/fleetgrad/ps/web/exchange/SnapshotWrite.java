package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a snapshot to a client as fast as the client takes it. A slow reader holds its version, and {@link SlowClients} bounds
 * for how long. No thread waits for the reader.
 */
final class SnapshotWrite implements Callback, SlowClients.Transfer {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotWrite.class);

    private final Exchange exchange;
    private final ParameterSnapshot snapshot;

    /** Its position is what the client has taken: the container advances it as it writes. */
    private final ByteBuffer file;

    private final SlowClients clients;
    private final long begunNanos = System.nanoTime();
    private final AtomicBoolean isOver = new AtomicBoolean();

    /**
     * @param snapshot released at the end
     * @param file     the snapshot in some encoding
     */
    SnapshotWrite(Exchange exchange, ParameterSnapshot snapshot, ByteBuffer file, SlowClients clients) {
        this.exchange = exchange;
        this.snapshot = snapshot;
        this.file = file;
        this.clients = clients;
    }

    /** Starts to write, and returns at once. */
    void begin() {
        try {
            clients.watch(this);
            // In one piece: a callback for each of many pieces would cost a large pull a third of its time.
            exchange.write(HttpStatus.OK_200, file, this);
        } catch (RuntimeException | Error failure) {
            boolean unused = end();
            throw failure;
        }
    }

    @Override
    public void succeeded() {
        if (end()) {
            exchange.written();
        }
    }

    @Override
    public void failed(Throwable gone) {
        if (end()) {
            exchange.fail(gone);
        }
    }

    private boolean end() {
        if (!isOver.compareAndSet(false, true)) {
            return false;
        }
        clients.forget(this);
        snapshot.close();
        return true;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
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
        exchange.cut(why);
    }
}
