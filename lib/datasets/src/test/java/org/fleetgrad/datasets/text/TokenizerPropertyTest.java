package org.fleetgrad.datasets.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TokenizerPropertyTest {

    /** Text without halves of surrogate pairs, which UTF-8 does not have. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings()
                .ofMinLength(1)
                .ofMaxLength(60)
                .map(text -> text.codePoints()
                        .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .append("é 😀")
                        .toString());
    }

    @Property(tries = 300)
    void shouldDecodeWhatItEncoded(@ForAll @From("texts") String text) {
        for (Tokenizer tokenizer :
                new Tokenizer[] {new ByteTokenizer(), new Gpt2Tokenizer(), CharacterTokenizer.ofCharactersIn(text)}) {
            int[] tokens = tokenizer.encode(text);

            assertThat(tokenizer.decode(tokens)).as("%s", tokenizer).isEqualTo(text);
            assertThat(Arrays.stream(tokens)).allMatch(token -> token >= 0 && token < tokenizer.vocabulary());
            assertThat(Tokenizer.parse(tokenizer.text())).isEqualTo(tokenizer);
        }
    }

    /** A character of several bytes may be cut between tokens: it counts once. */
    @Property(tries = 300)
    void shouldCountTheCharactersOfWhatItEncoded(@ForAll @From("texts") String text) {
        for (Tokenizer tokenizer :
                new Tokenizer[] {new ByteTokenizer(), new Gpt2Tokenizer(), CharacterTokenizer.ofCharactersIn(text)}) {
            assertThat(tokenizer.characters(Tokens.of(tokenizer.encode(text))))
                    .as("%s", tokenizer)
                    .hasValue(text.codePoints().count());
        }
    }

    @Property(tries = 200)
    void shouldKeepTokensAsTheyAre(@ForAll("tokens") int[] tokens) {
        Tokens kept = Tokens.of(tokens);

        assertThat(IntStream.range(0, kept.count()).map(kept::get).toArray()).isEqualTo(tokens);
        assertThat(kept.largest()).isEqualTo(Arrays.stream(tokens).max().orElse(-1));
        assertThat(kept.slice(tokens.length / 2, tokens.length))
                .isEqualTo(Tokens.of(Arrays.copyOfRange(tokens, tokens.length / 2, tokens.length)));
    }

    @Provide
    Arbitrary<int[]> tokens() {
        return Arbitraries.integers()
                .between(0, (1 << 20) - 1)
                .array(int[].class)
                .ofMaxSize(20);
    }

    /** As published: https://github.com/openai/gpt-2 encodes "Hello world" as 15496, 995. */
    @Example
    void shouldHaveTheVocabularyOfGpt2() {
        Gpt2Tokenizer gpt2 = new Gpt2Tokenizer();

        assertThat(gpt2.encode("Hello world")).containsExactly(15496, 995);
        assertThat(gpt2.vocabulary()).isEqualTo(50_257);
        assertThat(gpt2.decode(15496, Gpt2Tokenizer.END_OF_TEXT, 995)).isEqualTo("Hello world");
    }

    @Example
    void shouldRefuseACharacterThatIsNotInTheAlphabet() {
        CharacterTokenizer tokenizer = CharacterTokenizer.ofCharactersIn("banana");

        assertThat(tokenizer.encode("nab")).containsExactly(2, 0, 1);
        assertThatThrownBy(() -> tokenizer.encode("ban\u0007"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("character 3")
                .hasMessageContaining("(U+0007), is not one of the alphabet's 3");
        assertThatThrownBy(() -> tokenizer.bytesOf(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no token 3; the vocabulary has the tokens 0 to 2");
    }

    @Example
    void shouldRefuseWhatIsNoTokenizer() {
        for (String text :
                new String[] {"", "bpe", "characters:", "characters:ba", "characters:aa", "x".repeat(10_000)}) {
            assertThatThrownBy(() -> Tokenizer.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?s).{10,200}");
        }
    }
}
