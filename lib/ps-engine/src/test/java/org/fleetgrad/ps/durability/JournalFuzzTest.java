package org.fleetgrad.ps.durability;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;

class JournalFuzzTest {

    /** An entry is read, or refused with the reason. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] body) {
        try {
            Object unused = JournalCodec.decode(ByteBuffer.wrap(body), "g");
        } catch (IllegalArgumentException refused) {
            // As documented.
        }
    }
}
