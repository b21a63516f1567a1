package org.fleetgrad.ps.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.ps.parameters.ParameterSnapshot;

/** Writes a snapshot as an answer: the bytes that are served already are the body. */
final class SnapshotAnswer {

    private SnapshotAnswer() {}

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
