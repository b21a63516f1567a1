package org.fleetgrad.networks.layer;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.graph.PackedJson;

class LayerJsonFuzzTest {

    /** The bytes are the JSON of layers, one layer, and the packed form: each makes a network, or is refused. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        readOrRefuse(PackedJson.pack(bytes));
        String layer = new String(bytes, StandardCharsets.UTF_8);
        readOrRefuse(PackedJson.pack("{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"%s}}]}"
                .formatted(layer)
                .getBytes(StandardCharsets.UTF_8)));
        readOrRefuse(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    private static void readOrRefuse(String packed) {
        for (String begin : new String[] {"layers?classes=2&input=3x8x8", "token-layers?context=4&vocabulary=9"}) {
            try {
                Object unused = Networks.named(begin + "&layers=" + packed);
            } catch (IllegalArgumentException refused) {
                // As documented.
            }
        }
    }
}
