package org.fleetgrad.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordTest {

    @Test
    void shouldComeThroughAShellAsItIs() throws Exception {
        assertThat(ShellWord.of("--learning-rate=0.01")).isEqualTo("--learning-rate=0.01");
        assertThat(ShellWord.of("resnet18?classes=10&input=3x32x32")).isEqualTo("'resnet18?classes=10&input=3x32x32'");
        for (String word : List.of("", "a b", "it's", "$HOME", "`id`", "a\\b", "*", "a;b", "\"", "~", "ä", "!!")) {
            Process shell = new ProcessBuilder("sh", "-c", "printf %s " + ShellWord.of(word)).start();
            assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(word);
        }
    }
}
