package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory.NoSnapshotMemoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responds with a snapshot, whose bytes are the body unchanged, as fast as the client takes them. A slow reader holds
 * its version, and {@link SlowClients} bounds for how long. No thread waits for the reader.
 */
final class SnapshotResponse implements Callback, SlowClients.Transfer {

    static final HttpField NO_CACHE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache");

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotResponse.class);
    private static final HttpField CONTENT_TYPE =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, HeaderNames.SAFETENSORS);

    private final Exchange exchange;
    private final ParameterSnapshot snapshot;

    /** Its position is what the client has taken: the container advances it as it writes. */
    private final ByteBuffer file;

    private final SlowClients clients;
    private final AtomicBoolean isOver = new AtomicBoolean();

    private SnapshotResponse(Exchange exchange, ParameterSnapshot snapshot, ByteBuffer file, SlowClients clients) {
        this.exchange = exchange;
        this.snapshot = snapshot;
        this.file = file;
        this.clients = clients;
    }

    /**
     * Holds the newest snapshot for a response; empty before the first is published. Refuses the request if slow
     * readers keep as many versions alive as the server allows.
     */
    static Optional<ParameterSnapshot> hold(PublishedParameters published) {
        if (published.isAtCapacity()) {
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "%d versions are alive and take %d bytes, the limit: slow readers still hold old ones"
                            .formatted(published.alive(), published.memory().usedBytes()));
        }
        return published.hold();
    }

    /** Starts to write a snapshot, and returns at once. Takes over the caller's hold of it. */
    static void write(Exchange exchange, ParameterSnapshot snapshot, ParameterForm form, SlowClients clients) {
        SnapshotResponse response;
        try {
            response = new SnapshotResponse(exchange, snapshot, file(snapshot, form), clients);
            exchange.setHeader(CONTENT_TYPE);
            exchange.setHeader("ETag", form.etag(snapshot.version()));
            exchange.setHeader(NO_CACHE);
            exchange.setHeader(HeaderNames.GENERATION, snapshot.version().generation());
            if (!exchange.hasHeader(HeaderNames.VERSION)) {
                exchange.setHeader(
                        HeaderNames.VERSION, Long.toString(snapshot.version().version()));
            }
        } catch (RuntimeException | Error failure) {
            // Also if the heap is full: a version that is held forever ends the run.
            snapshot.close();
            throw failure;
        }
        response.begin();
    }

    /** Tells whether a snapshot's bytes in a form exist, or get memory now. */
    static boolean hasMemory(ParameterSnapshot snapshot, ParameterForm form) {
        try {
            ByteBuffer unused = snapshot.file(form);
            return true;
        } catch (NoSnapshotMemoryException none) {
            return false;
        } catch (IllegalArgumentException impossible) {
            // The response says so.
            return true;
        }
    }

    private static ByteBuffer file(ParameterSnapshot snapshot, ParameterForm form) {
        try {
            return snapshot.file(form);
        } catch (NoSnapshotMemoryException none) {
            throw RequestRefused.forNow(ProblemKind.BUSY, String.valueOf(none.getMessage()));
        } catch (IllegalArgumentException impossible) {
            throw new RequestRefused(
                    ProblemKind.INVALID_PARAMETER,
                    "this parameter set does not travel as %s: %s"
                            .formatted(form.encoding().name(), impossible.getMessage()),
                    Map.of("parameter", "encoding"));
        }
    }

    private void begin() {
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
    public long movedBytes() {
        return file.position();
    }

    @Override
    public boolean isReader() {
        return true;
    }

    @Override
    public void disconnect(String why) {
        LOG.warn("a reader of {} is too slow, its connection is closed: {}", snapshot.version(), why);
        exchange.disconnect(why);
    }
}
