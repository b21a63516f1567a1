package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.ps.parameters.NoSnapshotMemoryException;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;

/** Responds with a snapshot, whose bytes are the body unchanged. */
final class SnapshotResponse {

    static final HttpField NO_CACHE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache");

    private static final HttpField CONTENT_TYPE =
            new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, HeaderNames.SAFETENSORS);

    private SnapshotResponse() {}

    /**
     * Holds the newest snapshot for a response; empty before the first is published. Refuses the request if slow readers keep
     * as many versions alive as the server allows.
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

    /** Returns the entity tag of a version in an encoding: other bytes, another tag. */
    static String etag(ParameterVersion version, ParameterEncoding encoding) {
        return encoding.isLossless() ? version.etag() : version.etagAs(encoding.name());
    }

    /** Writes a snapshot as the response, as fast as the client takes it. Takes over the caller's hold of it. */
    static void write(Exchange exchange, ParameterSnapshot snapshot, ParameterEncoding encoding, SlowClients clients) {
        SnapshotWrite write;
        try {
            write = new SnapshotWrite(exchange, snapshot, file(snapshot, encoding), clients);
            exchange.put(CONTENT_TYPE);
            exchange.put("ETag", etag(snapshot.version(), encoding));
            exchange.put(NO_CACHE);
            exchange.put(HeaderNames.GENERATION, snapshot.version().generation());
            if (!exchange.has(HeaderNames.VERSION)) {
                exchange.put(
                        HeaderNames.VERSION, Long.toString(snapshot.version().version()));
            }
        } catch (RuntimeException | Error failure) {
            // Also if the heap is full: a version that is held forever ends the run.
            snapshot.close();
            throw failure;
        }
        write.begin();
    }

    /** Tells whether a snapshot's bytes in an encoding exist, or get memory now. */
    static boolean hasMemory(ParameterSnapshot snapshot, ParameterEncoding encoding) {
        try {
            ByteBuffer unused = snapshot.file(encoding);
            return true;
        } catch (NoSnapshotMemoryException none) {
            return false;
        } catch (IllegalArgumentException impossible) {
            // The response says so.
            return true;
        }
    }

    private static ByteBuffer file(ParameterSnapshot snapshot, ParameterEncoding encoding) {
        try {
            return snapshot.file(encoding);
        } catch (NoSnapshotMemoryException none) {
            throw RequestRefused.forNow(ProblemKind.BUSY, String.valueOf(none.getMessage()));
        } catch (IllegalArgumentException impossible) {
            throw new RequestRefused(
                    ProblemKind.INVALID_PARAMETER,
                    "this parameter set does not travel as %s: %s".formatted(encoding.name(), impossible.getMessage()),
                    Map.of("parameter", "encoding"));
        }
    }
}
