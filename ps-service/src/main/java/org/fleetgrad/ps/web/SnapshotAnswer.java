package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.HeaderNames;
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

    static void write(HttpServletResponse response, ParameterSnapshot snapshot) throws IOException {
        ByteBuffer file = snapshot.file();
        response.setContentType(HeaderNames.SAFETENSORS);
        response.setContentLengthLong(file.remaining());
        response.setHeader("ETag", snapshot.version().etag());
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader(HeaderNames.GENERATION, snapshot.version().generation());
        if (!response.containsHeader(HeaderNames.VERSION)) {
            response.setHeader(
                    HeaderNames.VERSION, Long.toString(snapshot.version().version()));
        }
        response.getOutputStream().write(file);
    }
}
