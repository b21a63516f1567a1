package org.fleetgrad.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldWriteOverTheLiveLineAndLeaveResultsAloneOnStdout() {
        Terminal terminal = terminal(true);

        terminal.live("version 10");
        terminal.live("done");
        terminal.tell("told");
        terminal.print("result");

        assertThat(text(err)).isEqualTo("\rversion 10\rdone      \r    \rtold\n");
        assertThat(text(out)).isEqualTo("result\n");
    }

    @Test
    void shouldCutALineThatANarrowTerminalWouldWrap() {
        Terminal terminal = new Terminal(stream(out), stream(err), true, 24);

        terminal.live("12 s (52%, about 11 s left)  version 400");
        terminal.live("13 s");

        assertThat(text(err)).isEqualTo("\r12 s (52%, about 11 s …\r13 s" + " ".repeat(19));
    }

    @Test
    void shouldNotFloodALogWithProgress() {
        Terminal terminal = terminal(false);

        for (int i = 0; i < 100; i++) {
            terminal.live("version " + i);
        }

        assertThat(text(err)).isEqualTo("version 0\n");
    }

    @Test
    void shouldTellNothingOfWhatHappensWhileTheProcessEnds() {
        Terminal terminal = terminal(true);
        terminal.tell("told");

        terminal.end();
        terminal.tell("worker-1 ended with code 130");
        terminal.live("version 11");

        assertThat(text(err)).isEqualTo("told\n");
    }

    private Terminal terminal(boolean isLive) {
        return new Terminal(stream(out), stream(err), isLive, 80);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
