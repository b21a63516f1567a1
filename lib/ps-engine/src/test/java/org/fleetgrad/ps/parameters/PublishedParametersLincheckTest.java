package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Readers hold versions while one thread publishes others: no version is torn, and each gives its memory back, once. */
public class PublishedParametersLincheckTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 1)));

    private final SnapshotMemory memory = new SnapshotMemory(Long.MAX_VALUE, true);
    private final PublishedParameters published = new PublishedParameters(Integer.MAX_VALUE, memory);
    private final long ofOne;
    private long version;

    public PublishedParametersLincheckTest() {
        published.begin(Unfrozen.set(LAYOUT), Map.of(), "g");
        long unused = publish();
        ofOne = memory.usedBytes();
    }

    @Operation(nonParallelGroup = "publisher")
    public final long publish() {
        version++;
        if (!published.publish(new ParameterVersion("g", version), new float[] {version})) {
            throw new IllegalStateException("no memory for version " + version);
        }
        return version;
    }

    /** Returns the newest version, as its own bytes say it. */
    @Operation
    public float read() {
        try (ParameterSnapshot held = published.hold().orElseThrow()) {
            ByteBuffer file = held.file(ParameterForm.WHOLE).order(ByteOrder.LITTLE_ENDIAN);
            return file.getFloat(file.limit() - Float.BYTES);
        }
    }

    @Validate
    public void requireOneAlive() {
        if (published.alive() != 1 || memory.usedBytes() != ofOne) {
            throw new IllegalStateException(published.alive() + " versions hold " + memory.usedBytes());
        }
    }

    @Test
    void shouldServeTheNewestVersionWholeAndGiveItsMemoryBack() {
        Interleavings.check(PublishedParametersLincheckTest.class, 100);
    }
}
