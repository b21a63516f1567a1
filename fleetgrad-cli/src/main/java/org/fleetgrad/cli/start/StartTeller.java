package org.fleetgrad.cli.start;

import java.time.Duration;
import org.fleetgrad.cli.display.Terminal;

/** Reports what a command waits for. Thread-safe. */
public interface StartTeller {

    /** Reports nothing. */
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

    /** Reports that a start takes long. */
    void tell(String line);

    /** Shows the newest state of the wait. */
    void live(String line);

    /** Returns the time from one {@link #live} to the next. */
    Duration pace();

    /** Returns a reporter that uses a terminal's live line, or an occasional line in a log. */
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
