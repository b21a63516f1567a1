package org.fleetgrad.http.body;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request for whose body a thread waits: after a grace period it must arrive at a minimum rate. Confined to one thread at a
 * time.
 */
final class MinimumRateBody extends Request.Wrapper {

    private static final long BYTES_PER_SECOND = 16 * 1024;

    private final LongSupplier nanoTime;
    private final long begin;
    private long received;
    private Content.@Nullable Chunk failure;

    MinimumRateBody(Request request, LongSupplier nanoTime) {
        super(request);
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (failure != null) {
            return failure;
        }
        Content.Chunk chunk = super.read();
        if (Content.Chunk.isFailure(chunk)) {
            return Content.Chunk.from(LateBody.reason(chunk.getFailure(), this), chunk.isLast());
        }
        if (chunk == null || chunk.isLast()) {
            return chunk;
        }
        received += chunk.remaining();
        long overtime = nanoTime.getAsLong() - begin - SmallBodyBuffering.TIMEOUT.toNanos();
        if (overtime > 0 && received < TimeUnit.NANOSECONDS.toSeconds(overtime) * BYTES_PER_SECOND) {
            chunk.release();
            failure = Content.Chunk.from(
                    LateBody.refusal("%d bytes of the body came in %d s; the minimum rate is %d bytes a second"
                            .formatted(
                                    received,
                                    TimeUnit.NANOSECONDS.toSeconds(overtime) + SmallBodyBuffering.TIMEOUT.toSeconds(),
                                    BYTES_PER_SECOND)),
                    true);
            return failure;
        }
        return chunk;
    }
}
