package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.http.body.LateBody;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.protocol.ProblemKind;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Reads bodies up to the size limit. A slow body is aborted after a timeout: each one blocks a thread, and a few hundred of
 * them would block all.
 */
@Component
class BoundedBodyReader {

    /** A megabyte at 300 kbit/s. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int PIECE_BYTES = 8 * 1024;

    private final int limit;
    private final LongSupplier nanoTime;

    @Autowired
    BoundedBodyReader(InferenceProperties properties) {
        this(Math.toIntExact(properties.maxImageBytes().toBytes()), System::nanoTime);
    }

    BoundedBodyReader(int limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    byte[] read(HttpServletRequest request) throws IOException {
        return read(request, limit);
    }

    /** Reads a body with a limit of its own. */
    byte[] read(HttpServletRequest request, int most) throws IOException {
        long stated = request.getContentLengthLong();
        if (stated > most) {
            throw tooLarge("the body has %d bytes, the limit is %d".formatted(stated, most), most);
        }
        return read(request.getInputStream(), most);
    }

    byte[] read(InputStream body) throws IOException {
        return read(body, limit);
    }

    private byte[] read(InputStream body, int most) throws IOException {
        long begin = nanoTime.getAsLong();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE_BYTES];
        while (true) {
            int read = next(body, piece, bytes.size(), most);
            if (read < 0) {
                return bytes.toByteArray();
            }
            bytes.write(piece, 0, read);
            if (bytes.size() > most) {
                throw tooLarge("the body has more bytes than the limit of %d".formatted(most), most);
            }
            if (nanoTime.getAsLong() - begin > TIMEOUT.toNanos()) {
                throw LateBody.refusal("the body did not end within %d s; %d bytes of it came"
                        .formatted(TIMEOUT.toSeconds(), bytes.size()));
            }
        }
    }

    /** Reads at most one byte more than the limit. */
    private static int next(InputStream body, byte[] piece, int before, int most) throws IOException {
        try {
            return body.read(piece, 0, Math.min(piece.length, most + 1 - before));
        } catch (IOException broken) {
            // The remaining bytes of the body may still arrive, and are not a request.
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the body broke off after %d bytes".formatted(before),
                    Map.of(),
                    Map.of("Connection", "close"));
        }
    }

    private static RequestRefused tooLarge(String detail, int most) {
        return new RequestRefused(ProblemKind.TOO_LARGE, detail, Map.of("limitBytes", most));
    }
}
