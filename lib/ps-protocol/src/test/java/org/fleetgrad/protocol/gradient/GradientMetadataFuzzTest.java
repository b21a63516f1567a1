package org.fleetgrad.protocol.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

class GradientMetadataFuzzTest {

    /** Metadata, a line for each key, are refused with what to write, or are the same when they are written and read again. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] lines) {
        Map<String, String> map = new TreeMap<>();
        for (String line : new String(lines, StandardCharsets.UTF_8).split("\n")) {
            String[] parts = line.split("=", 2);
            map.put(parts[0], parts.length == 1 ? "" : parts[1]);
        }
        GradientMetadata read;
        try {
            read = GradientMetadata.parse(map);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertThat(GradientMetadata.parse(read.toMap())).isEqualTo(read);
        assertThat(read.loss()).isFinite();
        assertThat(read.samples()).isBetween(1L, 1_000_000_000L);
    }
}
