package org.fleetgrad.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class OneLineErrorsTest {

    @Command
    private static final class Any {}

    private final StringWriter err = new StringWriter();
    private final CommandLine command = new CommandLine(new Any()).setErr(new PrintWriter(err));

    @Test
    void shouldExitByTheCauseOfAFailedRun() {
        assertThat(OneLineErrors.failed(RunFailedException.input("no such folder"), command))
                .isEqualTo(3);
        assertThat(OneLineErrors.failed(RunFailedException.remote("the server is gone"), command))
                .isEqualTo(4);
        assertThat(err).hasToString("fleetgrad: no such folder%nfleetgrad: the server is gone%n".formatted());
    }

    @Test
    void shouldSayThatOtherFailuresAreUnexpected() {
        assertThat(OneLineErrors.failed(new IllegalStateException("a bug"), command))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("fleetgrad: unexpected: java.lang.IllegalStateException: a bug");
    }
}
