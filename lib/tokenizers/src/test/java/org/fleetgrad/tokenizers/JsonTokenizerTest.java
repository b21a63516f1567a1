package org.fleetgrad.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.fleetgrad.datasets.text.IncrementalDecoder;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTokenizerTest {

    private static final String TEXT = "He would chuck, woodchuck?";

    @TempDir
    private Path folder;

    private static JsonTokenizer stored(String name) throws IOException {
        return JsonTokenizer.of(TrainedTokenizers.stored(name));
    }

    /** The numbers are those of the file's vocabulary. */
    @Test
    void shouldEncodeAWholeTextWithTheTokensThatMarkItsEnds() throws IOException {
        JsonTokenizer wordpiece = stored("wordpiece.json");

        assertThat(wordpiece.vocabulary()).isEqualTo(54);
        assertThat(wordpiece.padding()).hasValue(0);
        assertThat(wordpiece.encode(TEXT)).containsExactly(42, 43, 41, 5, 48, 7);
        assertThat(wordpiece.encodeWhole(TEXT)).containsExactly(2, 42, 43, 41, 5, 48, 7, 3);
        assertThat(wordpiece.decode(wordpiece.encodeWhole(TEXT))).isEqualTo("he would chuck, woodchuck?");
    }

    /** The library takes some hundred bytes for each token, and a whole text cannot be cut into pieces. */
    @Test
    void shouldRefuseAWholeTextThatIsTooLong() throws IOException {
        JsonTokenizer wordpiece = stored("wordpiece.json");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> wordpiece.encodeWhole("a".repeat(TextPieces.LONGEST + 1)))
                .withMessage("a text that is encoded whole has 4,194,304 characters or fewer; it has 4,194,305");
    }

    @Test
    void shouldDecodeWhatABytePairEncodingEncoded() throws IOException {
        JsonTokenizer bpe = stored("bpe.json");
        String any = TEXT + "\n\n é \uD83D\uDE00 \u0000";

        assertThat(bpe.decode(bpe.encode(any))).isEqualTo(any);
        assertThat(bpe.characters(Tokens.of(bpe.encode("é \uD83D\uDE00")))).hasValue(3);
        assertThat(Tokenizer.parse(bpe.text()).characters(Tokens.of(1))).isEmpty();
        assertThat(bpe.isEnd(0)).isTrue();
        assertThat(bpe.isEnd(1)).isFalse();
        assertThat(bpe.padding()).isEmpty();
    }

    /** One token after the other gives the text of all together, and no half of a character. */
    @ParameterizedTest
    @CsvSource({"bpe.json,é \uD83D\uDE00 chuck wood", "wordpiece.json,would chuck woodchuck"})
    void shouldDecodeOneTokenAfterTheOther(String file, String text) throws IOException {
        JsonTokenizer tokenizer = stored(file);
        int[] before = tokenizer.encode(TEXT);
        int[] tokens = tokenizer.encode(TEXT + " " + text);
        IncrementalDecoder decoder = tokenizer.decoder(before);
        StringBuilder all = new StringBuilder();

        for (int i = before.length; i < tokens.length; i++) {
            String next = decoder.append(tokens[i]);
            assertThat(next).doesNotContain("\uFFFD");
            all.append(next);
        }

        assertThat(all).hasToString(" " + text);
    }

    /** A network that has learnt little writes bytes that are not UTF-8; the text goes on. */
    @Test
    void shouldNotWaitForeverForTheRestOfACharacter() throws IOException {
        JsonTokenizer bpe = stored("bpe.json");
        IncrementalDecoder decoder = bpe.decoder();
        int cut = bpe.encode("\uD83D\uDE00")[0];
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            all.append(decoder.append(cut));
        }
        for (int token : bpe.encode("wood")) {
            all.append(decoder.append(token));
        }

        assertThat(all.toString()).matches("\uFFFD+wood");
    }

    @Test
    void shouldBeKnownByVocabularyAndDigest() throws IOException {
        JsonTokenizer bpe = stored("bpe.json");
        JsonTokenizer named = (JsonTokenizer) Tokenizer.parse(bpe.text());

        assertThat(bpe.text()).matches("tokenizer\\.json:284:[0-9a-f]{64}");
        assertThat(named).isEqualTo(bpe).isNotEqualTo(stored("wordpiece.json"));
        assertThat(named.isComplete()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> named.encode("a"))
                .withMessageContaining("which is not here: only its digest is known");
        assertThat(named.with(TrainedTokenizers.stored("bpe.json")).encode(TEXT))
                .isEqualTo(bpe.encode(TEXT));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> named.with(TrainedTokenizers.stored("wordpiece.json")))
                .withMessageContaining("the 3234 bytes of tokenizer.json have the SHA-256");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1]|it is not a JSON object",
                "{\"model\": {\"vocab\"|it is not JSON",
                "{\"version\": \"1.0\"}|it has no 'model' with a 'vocab'",
                "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 1048576}, \"merges\": []}}|has a token 1048576; a vocabulary has the tokens 0 to 1048575",
                "{\"model\": {\"type\": \"Guess\", \"vocab\": {\"a\": 0}}}|is not a tokenizer: "
            })
    void shouldRefuseAFileThatIsNoTokenizer(String json, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("tokenizer.json"), json);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonTokenizer.read(folder))
                .withMessageStartingWith("the tokenizer " + file)
                .withMessageContaining(message);
    }

    @Test
    void shouldRefuseAFileThatIsMissingOrTooLong() throws IOException {
        Path file = folder.resolve("tokenizer.json");
        assertThatThrownBy(() -> JsonTokenizer.read(file))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("there is no such tokenizer");

        // A file with a hole takes no room on the disk.
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(900_000_000);
        }

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonTokenizer.read(file))
                .withMessageContaining("has 900000000 bytes; the most is 50331648");
    }

    /** Lengths in which a text is cut change no token. */
    @Test
    void shouldEncodeALongTextAsOne() throws IOException {
        JsonTokenizer bpe = stored("bpe.json");
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        while (text.length() < 2000) {
            text.append(List.of("wood", " ", "\n", "\n\n", "chuck", "é").get(random.nextInt(6)));
        }

        List<String> pieces = TextPieces.of(text.toString(), 100);

        assertThat(String.join("", pieces)).isEqualTo(text.toString());
        assertThat(pieces).hasSizeGreaterThan(15).allMatch(piece -> piece.length() <= 100);
        assertThat(pieces.stream().flatMapToInt(piece -> Arrays.stream(bpe.encode(piece))))
                .containsExactly(
                        Arrays.stream(bpe.encode(text.toString())).boxed().toArray(Integer[]::new));
        assertThat(TextPieces.of("\uD83D\uDE00".repeat(3), 3))
                .containsExactly("\uD83D\uDE00", "\uD83D\uDE00", "\uD83D\uDE00");
    }
}
