package org.fleetgrad.ps.parameters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many readers against one writer: a snapshot that a reader holds is of one version, and never changes. */
class PublishedParametersHammerTest {

    private static final int READERS = 8;
    private static final int VERSIONS = 20_000;
    private static final int VALUES = 256;

    private final PublishedParameters published =
            new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(Long.MAX_VALUE, true));
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final CountDownLatch everyoneReads = new CountDownLatch(READERS);

    @Test
    @Timeout(60)
    void shouldNeverServeATornVersion() throws InterruptedException, ExecutionException {
        published.begin(Unfrozen.set(TensorLayout.canonical(List.of(TensorSpec.f32("w", VALUES)))), Map.of(), "g");
        publish(0);
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            List<Future<Long>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(this::read));
            }
            everyoneReads.await();
            for (int version = 1; version <= VERSIONS; version++) {
                publish(version);
            }
            isOver.set(true);

            for (Future<Long> reader : readers) {
                assertThat(reader.get()).as("reads").isPositive();
            }
        } finally {
            isOver.set(true);
            threads.shutdown();
        }
    }

    /** Holds and checks snapshots until the writer is done; returns how many. */
    private long read() {
        long reads = 0;
        long newestSeen = 0;
        while (!isOver.get()) {
            try (ParameterSnapshot held = published.hold().orElseThrow()) {
                long version = held.version().version();
                assertThat(version).as("versions only grow").isGreaterThanOrEqualTo(newestSeen);
                newestSeen = version;
                requireAllOf(held, version);
                Thread.onSpinWait();
                requireAllOf(held, version);
            }
            if (reads++ == 0) {
                everyoneReads.countDown();
            }
        }
        return reads;
    }

    private static void requireAllOf(ParameterSnapshot held, long version) {
        FloatBuffer values = held.file(ParameterForm.WHOLE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(held.file(ParameterForm.WHOLE).limit() - VALUES * Float.BYTES)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        for (int i = 0; i < VALUES; i++) {
            if (values.get(i) != (float) version) {
                throw new AssertionError("value %d of version %d is %s".formatted(i, version, values.get(i)));
            }
        }
    }

    private void publish(long version) {
        float[] values = new float[VALUES];
        Arrays.fill(values, (float) version);
        published.publish(new ParameterVersion("g", version), values);
    }
}
