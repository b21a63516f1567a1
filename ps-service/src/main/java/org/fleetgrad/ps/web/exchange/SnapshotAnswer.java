package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.ps.parameters.NoSnapshotMemoryException;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;

/** Answers with a snapshot; its bytes are the body as they are. */
final class SnapshotAnswer {

    private SnapshotAnswer() {}

    /**
     * Holds the newest snapshot for an answer; empty before the first is published. Refuses the request if slow readers
     * keep as many versions alive as the server allows.
     */
    static Optional<ParameterSnapshot> hold(PublishedParameters published) {
        if (published.isCrowded()) {
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

    /**
     * Writes a snapshot as the answer: in this thread, if it is small and few threads wait for clients, or as fast as the
     * client takes it. Takes over the caller's hold of it.
     *
     * @param async begins the asynchronous answer, or returns the one that has begun
     * @return whether it is still being written, which completes {@code async}
     */
    static boolean write(
            ServletRequest request,
            HttpServletResponse response,
            Supplier<AsyncContext> async,
            ParameterSnapshot snapshot,
            ParameterEncoding encoding,
            SlowClients clients)
            throws IOException {
        boolean isHandedOver = false;
        try {
            ByteBuffer file = file(snapshot, encoding);
            response.setContentType(HeaderNames.SAFETENSORS);
            response.setContentLengthLong(file.remaining());
            response.setHeader("ETag", etag(snapshot.version(), encoding));
            response.setHeader("Cache-Control", "no-cache");
            response.setHeader(HeaderNames.GENERATION, snapshot.version().generation());
            if (!response.containsHeader(HeaderNames.VERSION)) {
                response.setHeader(
                        HeaderNames.VERSION, Long.toString(snapshot.version().version()));
            }
            if (file.remaining() <= EarnedSink.SMALL_BYTES && clients.tryTakeThread()) {
                SnapshotWrite.here(request, response, snapshot, file, clients);
                return false;
            }
            AsyncContext begun = async.get();
            isHandedOver = true;
            SnapshotWrite.begin(begun, snapshot, file, clients);
            return true;
        } finally {
            if (!isHandedOver) {
                snapshot.close();
            }
        }
    }

    /** Tells whether a snapshot's bytes in an encoding are there, or find memory now. */
    static boolean hasMemory(ParameterSnapshot snapshot, ParameterEncoding encoding) {
        try {
            ByteBuffer unused = snapshot.file(encoding);
            return true;
        } catch (NoSnapshotMemoryException none) {
            return false;
        } catch (IllegalArgumentException impossible) {
            // The answer says so.
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
