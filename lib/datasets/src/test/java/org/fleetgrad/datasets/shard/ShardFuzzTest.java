package org.fleetgrad.datasets.shard;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

class ShardFuzzTest {

    private static final ShardLimits LIMITS = ShardLimits.ofData(1 << 20);

    /** An archive is read, or refused with the rule: as received, and as the tar file of a complete gzip file. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        read(bytes);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        read(packed.toByteArray());
    }

    private static void read(byte[] archive) throws IOException {
        try {
            Object unused = ShardArchive.read(new ByteArrayInputStream(archive), LIMITS);
        } catch (InvalidShardException refused) {
            // As documented.
        }
    }
}
