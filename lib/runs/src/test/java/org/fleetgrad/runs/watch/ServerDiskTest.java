package org.fleetgrad.runs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerDiskTest {

    private final List<String> told = new ArrayList<>();

    private final ServerDisk disk = new ServerDisk(new RunOutput() {
        @Override
        public void tell(String line) {
            told.add(line);
        }

        @Override
        public void live(String line) {}

        @Override
        public Duration pace() {
            return Duration.ofDays(1);
        }
    });

    private static StatusReply status(boolean isInitialized, @Nullable String failure) {
        return new StatusReply(
                200,
                "g",
                0,
                isInitialized,
                0,
                0,
                "async",
                false,
                "sgd",
                "none",
                "checkpoint",
                0.01,
                0,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of(),
                1,
                List.of(),
                null,
                failure);
    }

    @Test
    void shouldSayOnceThatTheDiskIsFullAndOnceThatItIsNot() throws RunFailedException {
        disk.look(status(true, null));
        disk.look(status(true, "checkpoint-000003 cannot be written; 32 bytes are free"));
        disk.look(status(true, "checkpoint-000003 cannot be written; 31 bytes are free"));
        disk.look(status(true, null));
        disk.look(status(true, null));
        disk.look(status(true, "full"));

        assertThat(told)
                .containsExactly(
                        "ps-service cannot write: checkpoint-000003 cannot be written; 32 bytes are free",
                        "ps-service writes again",
                        "ps-service cannot write: full");
    }

    @Test
    void shouldEndARunThatCannotBegin() throws RunFailedException {
        disk.look(status(false, null));

        assertThatThrownBy(() -> disk.look(status(false, "No space left on device")))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("the run cannot begin, since ps-service cannot write: No space left on device");
    }
}
