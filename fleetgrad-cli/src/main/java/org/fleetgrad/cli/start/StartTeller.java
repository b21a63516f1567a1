package org.fleetgrad.cli.start;

import java.time.Duration;
import org.fleetgrad.cli.display.Terminal;

/** Says what a command waits for. Thread-safe. */
public interface StartTeller {

    /** Says nothing. */
    StartTeller SILENT = new StartTeller() {
        @Override
        public void tell(String line) {}

        @Override
        public void live(String line) {}

        @Override
        public Duration pace() {
            return Duration.ofDays(1);
        }
    };

    /** Says that a start takes long. */
    void tell(String line);

    /** Shows the newest state of the wait. */
    void live(String line);

    /** Returns the time from one {@link #live} to the next. */
    Duration pace();

    /** Returns what speaks in a terminal's live line, and in a log by a line now and then. */
    static StartTeller of(Terminal terminal) {
        return new StartTeller() {
            @Override
            public void tell(String line) {
                terminal.tell(line);
            }

            @Override
            public void live(String line) {
                terminal.live(line);
            }

            @Override
            public Duration pace() {
                return Duration.ofSeconds(terminal.isLive() ? 1 : 30);
            }
        };
    }
}
