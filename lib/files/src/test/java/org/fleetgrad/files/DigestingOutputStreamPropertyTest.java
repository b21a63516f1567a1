package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class DigestingOutputStreamPropertyTest {

    @Property(tries = 200)
    void shouldDigestWhatPassesInWhateverPieces(@ForAll byte[] content, @ForAll byte cut) throws IOException {
        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        int middle = content.length == 0 ? 0 : Byte.toUnsignedInt(cut) % content.length;
        try (DigestingOutputStream stream = new DigestingOutputStream(passed)) {
            for (byte single : Arrays.copyOf(content, middle)) {
                stream.write(single);
            }
            stream.write(content, middle, content.length - middle);

            assertThat(stream.bytes()).isEqualTo(content.length);
            assertThat(stream.sha256()).isEqualTo(Sha256.of(ByteBuffer.wrap(content)));
        }
        assertThat(passed.toByteArray()).isEqualTo(content);
    }
}
