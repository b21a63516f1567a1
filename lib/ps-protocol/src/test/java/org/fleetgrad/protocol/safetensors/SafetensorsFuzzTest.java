package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import org.fleetgrad.protocol.tensor.TensorSet;

class SafetensorsFuzzTest {

    /** A file is refused with its rule, or is the same when it is written and read again. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] file) throws SafetensorsException {
        TensorSet read;
        try {
            read = Safetensors.decode(ByteBuffer.wrap(file));
        } catch (SafetensorsException refused) {
            return;
        }
        TensorSet again = Safetensors.decode(Safetensors.encode(read));
        assertThat(again.layout()).isEqualTo(read.layout());
        assertThat(again.metadata()).isEqualTo(read.metadata());
    }
}
