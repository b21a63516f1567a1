package org.fleetgrad.ps.parameters;

import org.fleetgrad.ps.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** A reservation that fails must not make another one fail, not even for a moment. */
public class SnapshotMemoryLincheckTest {

    private final SnapshotMemory memory = new SnapshotMemory(10, true);

    @Operation
    public boolean reserve(@Param(gen = IntGen.class, conf = "3:8") int bytes) {
        return memory.tryReserve(bytes);
    }

    @Operation
    public void release(@Param(gen = IntGen.class, conf = "1:3") int bytes) {
        memory.release(bytes);
    }

    @Operation
    public long used() {
        return memory.usedBytes();
    }

    @Operation
    public boolean hasFree(@Param(gen = IntGen.class, conf = "1:8") int bytes) {
        return memory.hasFree(bytes);
    }

    @Test
    void shouldReserveAsIfOneThreadDidAfterTheOther() {
        Interleavings.check(SnapshotMemoryLincheckTest.class, 400);
    }
}
