package org.fleetgrad.serving.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StopTextsTest {

    /** The oracle is a search over the text as it is after each part. */
    @Test
    void shouldEndWhereASearchOverTheWholeTextFindsTheFirst() {
        Random random = new Random(3);
        for (int attempt = 0; attempt < 2000; attempt++) {
            List<String> stops =
                    List.of(letters(random, 1 + random.nextInt(4)), letters(random, 1 + random.nextInt(4)));
            StopTexts texts = new StopTexts(stops);
            StringBuilder whole = new StringBuilder();
            StringBuilder sent = new StringBuilder();
            int first = -1;
            while (first < 0 && whole.length() < 30) {
                String part = letters(random, random.nextInt(4));
                whole.append(part);
                sent.append(texts.append(part));
                first = stops.stream()
                        .mapToInt(whole::indexOf)
                        .filter(index -> index >= 0)
                        .min()
                        .orElse(-1);
                assertThat(texts.isStopped()).isEqualTo(first >= 0);
            }
            sent.append(texts.rest());
            assertThat(sent).hasToString(first >= 0 ? whole.substring(0, first) : whole.toString());
        }
    }

    private static String letters(Random random, int length) {
        return random.ints(length, 'a', 'd')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void shouldHoldBackOnlyWhatMayBeginAStopText() {
        StopTexts texts = new StopTexts(List.of("\n\n"));

        assertThat(texts.append("one\n")).isEqualTo("one");
        assertThat(texts.append("two")).isEqualTo("\ntwo");
        assertThat(texts.rest()).isEmpty();
    }

    @Test
    void shouldSendEverythingAtOnceWithoutStopTexts() {
        assertThat(new StopTexts(List.of()).append("one")).isEqualTo("one");
    }
}
