package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.http.body.LateBody;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.body.BodyMemory;
import org.fleetgrad.protocol.ProblemKind;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Reads bodies up to the size limit, and reserves their memory before it reads. A slow body is aborted after a timeout: each one
 * blocks a thread, and a few hundred of them would block all.
 */
@Component
class BoundedBodyReader {

    /** The largest body at 4.5 Mbit/s, a megabyte at 300 kbit/s. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int PIECE_BYTES = 8 * 1024;

    /** Largest body of a request that is no prediction. */
    private static final int SMALL_BYTES = 1 << 20;

    private final int limit;
    private final BodyMemory memory;
    private final LongSupplier nanoTime;

    @Autowired
    BoundedBodyReader(InferenceProperties properties, BodyMemory memory) {
        this(Math.toIntExact(properties.maxImageBytes().toBytes()), memory, System::nanoTime);
    }

    BoundedBodyReader(int limit, BodyMemory memory, LongSupplier nanoTime) {
        this.limit = limit;
        this.memory = memory;
        this.nanoTime = nanoTime;
    }

    /** Reads the body of a prediction, whose memory is reserved until the caller closes it. */
    ReceivedBody readPrediction(HttpServletRequest request) throws IOException {
        return read(request, limit, "inference.max-image-bytes");
    }

    /** Reads a body of another request. */
    byte[] read(HttpServletRequest request) throws IOException {
        return read(request, Math.min(limit, SMALL_BYTES));
    }

    /** Reads a body with a limit of its own. */
    byte[] read(HttpServletRequest request, int most) throws IOException {
        try (ReceivedBody body = read(request, most, "")) {
            return body.bytes();
        }
    }

    private ReceivedBody read(HttpServletRequest request, int most, String setting) throws IOException {
        long stated = request.getContentLengthLong();
        if (stated > most) {
            throw tooLarge("the body has %d bytes, the limit is %d".formatted(stated, most), most, setting);
        }
        return read(request.getInputStream(), (int) stated, most, setting);
    }

    ReceivedBody read(InputStream body, int stated) throws IOException {
        return read(body, stated, limit, "");
    }

    private ReceivedBody read(InputStream body, int stated, int most, String setting) throws IOException {
        BodyMemory.Reservation reservation = memory.begin();
        boolean isRead = false;
        try {
            byte[] bytes = read(body, stated, most, setting, reservation);
            isRead = true;
            return new ReceivedBody(bytes, reservation);
        } finally {
            if (!isRead) {
                reservation.close();
            }
        }
    }

    private byte[] read(InputStream body, int stated, int most, String setting, BodyMemory.Reservation reservation)
            throws IOException {
        long begin = nanoTime.getAsLong();
        byte[] piece = new byte[PIECE_BYTES];
        byte[] bytes = reservation.array(Math.min(PIECE_BYTES, stated < 0 ? most : stated));
        int size = 0;
        while (true) {
            int read = next(body, piece, size, most);
            if (read < 0) {
                return bytes.length == size ? bytes : resized(bytes, size, size, reservation);
            }
            if (size + read > most) {
                throw tooLarge("the body has more bytes than the limit of %d".formatted(most), most, setting);
            }
            if (size + read > bytes.length) {
                bytes = resized(bytes, size, capacity(size + read, stated, most), reservation);
            }
            System.arraycopy(piece, 0, bytes, size, read);
            size += read;
            if (nanoTime.getAsLong() - begin > TIMEOUT.toNanos()) {
                throw LateBody.refusal(
                        "the body did not end within %d s; %d bytes of it came".formatted(TIMEOUT.toSeconds(), size));
            }
        }
    }

    /** Doubles, so that a client has sent half of what it takes; the last array has the stated length. */
    private static int capacity(int needed, int stated, int most) {
        int end = stated < needed ? most : stated;
        return (int) Math.min(end, 2L * needed);
    }

    private static byte[] resized(byte[] bytes, int size, int length, BodyMemory.Reservation reservation) {
        byte[] next = reservation.array(length);
        System.arraycopy(bytes, 0, next, 0, size);
        reservation.drop(bytes);
        return next;
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

    private static RequestRefused tooLarge(String detail, int most, String setting) {
        return new RequestRefused(
                ProblemKind.TOO_LARGE,
                setting.isEmpty() ? detail : "%s (%s)".formatted(detail, setting),
                Map.of("limitBytes", most));
    }
}
