package org.fleetgrad.datasets.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WholeCharactersTest {

    /** The oracle is Java's own decoder, over the whole text. */
    @Test
    void shouldDecodeWhatAnyPiecesGiveTogether() {
        Random random = new Random(1);
        byte[] text = "aé€😀ßz\0𝄞".repeat(5).getBytes(StandardCharsets.UTF_8);
        for (int attempt = 0; attempt < 200; attempt++) {
            WholeCharacters characters = new WholeCharacters();
            StringBuilder all = new StringBuilder();
            int from = 0;
            while (from < text.length) {
                int to = Math.min(text.length, from + random.nextInt(6));
                String part = characters.append(Arrays.copyOfRange(text, from, to));
                assertThat(part).doesNotContain("\uFFFD");
                all.append(part);
                from = to;
            }
            assertThat(all).hasToString(new String(text, StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldReplaceBytesThatAreNotUtf8() {
        WholeCharacters characters = new WholeCharacters();

        assertThat(characters.append(new byte[] {(byte) 0xFF})).isEqualTo("\uFFFD");
        assertThat(characters.append(new byte[] {(byte) 0xE2, (byte) 0x82})).isEmpty();
        assertThat(characters.append(new byte[] {'a'})).isEqualTo("\uFFFDa");
        assertThat(characters.append(new byte[0])).isEmpty();
    }

    @Test
    void shouldDecodeAnyBytesAsJavaDoes() {
        Random random = new Random(2);
        for (int attempt = 0; attempt < 500; attempt++) {
            byte[] bytes = new byte[12];
            random.nextBytes(bytes);
            // An end that is whole, so that nothing waits.
            bytes[11] = 'z';
            WholeCharacters characters = new WholeCharacters();
            StringBuilder all = new StringBuilder();
            for (byte one : bytes) {
                all.append(characters.append(new byte[] {one}));
            }
            assertThat(all).hasToString(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
