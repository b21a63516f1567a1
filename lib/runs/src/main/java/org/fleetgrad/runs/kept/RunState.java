package org.fleetgrad.runs.kept;

import java.util.Locale;

/** What a run is doing, by the facts in its folder and the processes of this machine. */
public enum RunState {
    /** Its process is alive. */
    RUNNING,
    /** It came to its target, its last step or the end of its work. */
    ENDED,
    /** Ctrl-C, SIGTERM or {@code runs stop} ended it in order. */
    STOPPED,
    /** It ended with an error, which its facts have. */
    FAILED,
    /** Its process is gone, and had no time to say why. */
    KILLED,
    /** It began on another machine and has not said how it ended. */
    ELSEWHERE,
    /** Its facts cannot be read. */
    UNREADABLE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
