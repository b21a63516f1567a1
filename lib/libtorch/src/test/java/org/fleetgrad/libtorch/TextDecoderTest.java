package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.fleetgrad.libtorch.TextModels.CONTEXT;
import static org.fleetgrad.libtorch.TextModels.VOCABULARY;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is a pass without a cache over the tokens that the network sees. */
@Tag("kernels")
class TextDecoderTest {

    private static final int LENGTH = 4 * CONTEXT;
    private static final int[] TEXT = TextModels.tokens(LENGTH, 5);

    private Network network = TextModels.open(true, 3);

    @AfterEach
    void close() {
        network.close();
    }

    private void openUntied() {
        network.close();
        network = TextModels.open(false, 3);
    }

    static void assertSame(float[] actual, float[] expected) {
        float largest = 0;
        for (float logit : expected) {
            largest = Math.max(largest, Math.abs(logit));
        }
        assertThat(actual).containsExactly(expected, within(1e-4f * largest));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldComputeTheLogitsOfAPassWithoutCache(boolean isTied) {
        if (!isTied) {
            openUntied();
        }
        SlidingWindow window = new SlidingWindow(CONTEXT);
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(LENGTH)) {
            for (int length = 1; length <= LENGTH; length++) {
                float[] logits = decoder.append(TEXT[length - 1]);

                int start = window.start(length);
                assertThat(decoder.length()).isEqualTo(length);
                assertThat(decoder.start()).isEqualTo(start);
                assertSame(logits, TextModels.uncached(reader, TextModels.first(TEXT, length), start));
            }
        }
    }

    /** A prompt at once, or in pieces, also such that slide the window or are longer than the context. */
    @ParameterizedTest
    @CsvSource({"1", "3", "5", "11", "12", "13", "31", "48"})
    void shouldComputeTheSameHoweverTheTextIsCut(int piece) {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(LENGTH)) {
            for (int from = 0; from < LENGTH; from += piece) {
                int to = Math.min(LENGTH, from + piece);
                float[] logits = decoder.append(Arrays.copyOfRange(TEXT, from, to));

                assertSame(logits, TextModels.uncached(reader, TextModels.first(TEXT, to), decoder.start()));
            }
        }
    }

    @Test
    void shouldNotDependOnTheRoomForFurtherTokens() {
        try (NetworkReader reader = network.live();
                TextDecoder exact = reader.decoder(7);
                TextDecoder roomy = reader.decoder(1000)) {
            for (int i = 0; i < 7; i++) {
                assertThat(exact.append(TEXT[i])).isEqualTo(roomy.append(TEXT[i]));
            }
        }
    }

    @Test
    void shouldKeepTextsApart() {
        int[] other = TextModels.tokens(LENGTH, 6);
        try (NetworkReader reader = network.live();
                TextDecoder one = reader.decoder(LENGTH);
                TextDecoder two = reader.decoder(LENGTH)) {
            for (int i = 0; i < CONTEXT; i++) {
                float[] ofOne = one.append(TEXT[i]);
                float[] ofTwo = two.append(other[i]);

                assertSame(ofOne, TextModels.uncached(reader, TextModels.first(TEXT, i + 1), 0));
                assertSame(ofTwo, TextModels.uncached(reader, TextModels.first(other, i + 1), 0));
            }
        }
    }

    @Test
    void shouldContinueTextsInSeveralThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (NetworkReader reader = network.live()) {
            List<Future<float[]>> all = Stream.generate(() -> threads.submit(() -> last(reader)))
                    .limit(16)
                    .toList();
            float[] expected = last(reader);
            for (Future<float[]> one : all) {
                assertThat(one.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static float[] last(NetworkReader reader) {
        try (TextDecoder decoder = reader.decoder(LENGTH)) {
            return IntStream.of(TEXT)
                    .mapToObj(decoder::append)
                    .reduce((before, after) -> after)
                    .orElseThrow();
        }
    }

    @Test
    void shouldHoldTheVersionOfACopy() {
        try (NetworkReader copy = network.copy();
                TextDecoder decoder = copy.decoder(LENGTH)) {
            decoder.append(TextModels.first(TEXT, 4));
            network.load(TextModels.parameters(TextModels.definition(true), 4));
            float[] logits = decoder.append(TEXT[4]);

            assertSame(logits, TextModels.uncached(copy, TextModels.first(TEXT, 5), 0));
        }
    }

    /** The last token is computed with the new values, and attends to keys and values of the old ones. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheKeysOfTheirTimeUntilTheyAreRecomputed(boolean isCopy) {
        int[] text = TextModels.first(TEXT, 5);
        try (NetworkCopy copy = network.copy();
                NetworkReader live = network.live()) {
            NetworkReader reader = isCopy ? copy : live;
            try (TextDecoder decoder = reader.decoder(LENGTH)) {
                decoder.append(TextModels.first(TEXT, 4));
                float[] ofOld = TextModels.uncached(reader, text, 0);
                network.load(TextModels.parameters(TextModels.definition(true), 4));
                copy.renew();
                float[] ofNew = TextModels.uncached(reader, text, 0);

                float[] mixed = decoder.append(TEXT[4]);
                float[] recomputed = decoder.recompute();

                assertThat(distance(mixed, ofOld)).isGreaterThan(1e-2);
                assertThat(distance(mixed, ofNew)).isGreaterThan(1e-2);
                assertSame(recomputed, ofNew);
                assertThat(decoder.length()).isEqualTo(5);
                assertSame(decoder.append(TEXT[5]), TextModels.uncached(reader, TextModels.first(TEXT, 6), 0));
            }
        }
    }

    private static double distance(float[] one, float[] other) {
        return IntStream.range(0, one.length)
                .mapToDouble(i -> Math.abs(one[i] - other[i]))
                .max()
                .orElseThrow();
    }

    /** A slide recomputes what it keeps. */
    @Test
    void shouldHaveOnlyTheNewVersionAfterASlide() {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(LENGTH)) {
            decoder.append(TextModels.first(TEXT, CONTEXT));
            network.load(TextModels.parameters(TextModels.definition(true), 4));
            float[] logits = decoder.append(TEXT[CONTEXT]);

            assertSame(
                    logits,
                    TextModels.uncached(reader, TextModels.first(TEXT, CONTEXT + 1), CONTEXT + 1 - CONTEXT / 2));
        }
    }

    @Test
    void shouldRecomputeASlidText() {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(LENGTH)) {
            float[] logits = decoder.append(TEXT);
            assertSame(decoder.recompute(), logits);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, VOCABULARY, Integer.MAX_VALUE})
    void shouldRefuseATokenBeyondTheVocabularyAndAppendNothing(int token) {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(LENGTH)) {
            decoder.append(TEXT[0], TEXT[1]);
            assertThatThrownBy(() -> decoder.append(TEXT[2], token))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("token 3 of a text is %d; the vocabulary of the network '%s' has the tokens 0 to 16"
                            .formatted(token, network.spec().name()));
            assertThat(decoder.length()).isEqualTo(2);
            assertSame(decoder.append(TEXT[2]), TextModels.uncached(reader, TextModels.first(TEXT, 3), 0));
        }
    }

    @Test
    void shouldRefuseMoreTokensThanItWasOpenedFor() {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(3)) {
            decoder.append(TEXT[0], TEXT[1]);
            assertThatThrownBy(() -> decoder.append(TEXT[2], TEXT[3]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("to a text of 2 tokens, whose decoder is for 3, 1 to 1 can be appended; there are 2");
            assertThatThrownBy(decoder::append)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("to a text of 2 tokens, whose decoder is for 3, 1 to 1 can be appended; there are 0");
        }
    }

    @Test
    void shouldRefuseANetworkForImages() {
        try (Network images = TestBatch.open("lenet5", 1);
                NetworkReader reader = images.live()) {
            assertThatThrownBy(() -> reader.decoder(3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("continues no texts: it takes images of [1, 28, 28] in 10 classes");
        }
    }

    @Test
    void shouldRefuseToAppendOnceItIsClosed() {
        try (NetworkReader reader = network.live()) {
            TextDecoder decoder = reader.decoder(3);
            decoder.append(TEXT[0]);
            decoder.close();
            assertThatThrownBy(() -> decoder.append(TEXT[1])).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldRefuseToRecomputeATextWithoutTokens() {
        try (NetworkReader reader = network.live();
                TextDecoder decoder = reader.decoder(3)) {
            assertThatThrownBy(decoder::recompute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a text without tokens has no logits");
        }
    }
}
