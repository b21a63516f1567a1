package org.fleetgrad.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.text.ByteTokenizer;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptTest {

    private static final Tokenizer LETTERS = CharacterTokenizer.ofCharactersIn("the server ");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`To be, or not to be, that is`|`To be, or not to be, `",
                "`To be`|`To `",
                "`unbrokenwordwithoutanyend`|`u`",
                "`whose last byte is cut é`|`whose last byte is cut `"
            })
    void shouldBeginAsTheHeldOutTextDoesWithWholeWords(String heldOut, String prompt) throws Exception {
        Tokenizer bytes = new ByteTokenizer();

        assertThat(Prompt.of(Optional.empty(), TextSamples.heldOut(Tokens.of(bytes.encode(heldOut)), 8), bytes)
                        .text())
                .isEqualTo(prompt);
    }

    /** Half a character is none, at the begin and at the end. */
    @ParameterizedTest
    @CsvSource({"1,春", "2,春", "3,春", "4,眠"})
    void shouldBeginWithAWholeCharacter(int from, String prompt) throws Exception {
        Tokenizer bytes = new ByteTokenizer();
        int[] heldOut = bytes.encode("あ春眠不覚暁");
        Tokens tokens = Tokens.of(Arrays.copyOfRange(heldOut, from, heldOut.length - 1));

        assertThat(Prompt.of(Optional.empty(), TextSamples.heldOut(tokens, 8), bytes)
                        .text())
                .isEqualTo(prompt);
    }

    @Test
    void shouldBeginWithANewLineWhereTheTextHasNoCharacter() throws Exception {
        Tokens tokens = Tokens.of(128, 129, 130);

        assertThat(Prompt.of(Optional.empty(), TextSamples.heldOut(tokens, 2), new ByteTokenizer())
                        .text())
                .isEqualTo("\n");
    }

    @Test
    void shouldRefuseAPromptThatTheModelCannotRead() throws Exception {
        TextSamples heldOut = TextSamples.heldOut(Tokens.of(LETTERS.encode("the server")), 8);

        assertThat(Prompt.of(Optional.of("serve "), heldOut, LETTERS).text()).isEqualTo("serve ");
        assertThatThrownBy(() -> Prompt.of(Optional.of("sx"), heldOut, LETTERS))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("--prompt: character 1, 'x' (U+0078), is not one of the alphabet's 7");
        assertThatThrownBy(() -> Prompt.of(Optional.of(""), heldOut, LETTERS))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("--prompt must have a character");
    }
}
