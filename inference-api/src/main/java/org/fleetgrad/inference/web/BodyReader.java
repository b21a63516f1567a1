package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.fleetgrad.inference.InferenceProperties;
import org.springframework.stereotype.Component;

/** Reads bodies up to the size limit, and not a byte further. */
@Component
class BodyReader {

    private final int limit;

    BodyReader(InferenceProperties properties) {
        this.limit = Math.toIntExact(properties.maxImageBytes().toBytes());
    }

    byte[] read(HttpServletRequest request) throws IOException {
        long stated = request.getContentLengthLong();
        if (stated > limit) {
            throw new BodyTooLargeException("the body has %d bytes, the limit is %d".formatted(stated, limit), limit);
        }
        byte[] body = request.getInputStream().readNBytes(limit + 1);
        if (body.length > limit) {
            throw new BodyTooLargeException("the body has more bytes than the limit of %d".formatted(limit), limit);
        }
        return body;
    }
}
