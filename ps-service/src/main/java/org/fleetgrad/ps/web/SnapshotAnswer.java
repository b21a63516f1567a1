package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;

/** Writes a snapshot as an answer: the bytes that are served already are the body. */
final class SnapshotAnswer {

    private SnapshotAnswer() {}

    /**
     * Holds the newest snapshot for an answer, or refuses the request where slow readers hold as many versions as may be
     * alive; nothing before the first is published.
     */
    static Optional<ParameterSnapshot> hold(PublishedParameters published) {
        if (published.isCrowded()) {
            throw new RequestRefused(
                    ProblemKind.BUSY,
                    "slow readers hold %d versions, as many as may be alive".formatted(published.alive()),
                    Map.of(),
                    Map.of("Retry-After", "1"));
        }
        return published.hold();
    }

    /** Returns the entity tag of a version in an encoding: other bytes, another tag. */
    static String etag(ParameterVersion version, ParameterEncoding encoding) {
        return encoding.isLossless() ? version.etag() : version.etagAs(encoding.name());
    }

    static void write(HttpServletResponse response, ParameterSnapshot snapshot, ParameterEncoding encoding)
            throws IOException {
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
        response.getOutputStream().write(file);
    }

    private static ByteBuffer file(ParameterSnapshot snapshot, ParameterEncoding encoding) {
        try {
            return snapshot.file(encoding);
        } catch (IllegalArgumentException impossible) {
            throw new RequestRefused(
                    ProblemKind.INVALID_PARAMETER,
                    "this parameter set does not travel as %s: %s".formatted(encoding.name(), impossible.getMessage()),
                    Map.of("parameter", "encoding"));
        }
    }
}
