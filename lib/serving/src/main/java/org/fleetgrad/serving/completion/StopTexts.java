package org.fleetgrad.serving.completion;

import java.util.List;

/**
 * Ends a text before the first of some stop texts. An end of the text that may be the beginning of a stop text waits for what
 * follows. Not thread-safe.
 */
final class StopTexts {

    private final List<String> stops;
    private final StringBuilder waiting = new StringBuilder();
    private boolean isStopped;

    /** None of the stop texts may be empty. */
    StopTexts(List<String> stops) {
        this.stops = List.copyOf(stops);
    }

    /** Appends a part, and returns what is certain to come before a stop text. */
    String append(String part) {
        waiting.append(part);
        int end = stops.stream()
                .mapToInt(waiting::indexOf)
                .filter(index -> index >= 0)
                .min()
                .orElse(-1);
        isStopped = end >= 0;
        return take(isStopped ? end : waiting.length() - mayBegin());
    }

    /** Returns whether a stop text has come. */
    boolean isStopped() {
        return isStopped;
    }

    /** Returns what waited, as no more follows. */
    String rest() {
        return isStopped ? "" : take(waiting.length());
    }

    private String take(int length) {
        String taken = waiting.substring(0, length);
        waiting.delete(0, length);
        return taken;
    }

    /** Returns the length of the longest end of the text that begins a stop text. */
    private int mayBegin() {
        return stops.stream().mapToInt(this::mayBegin).max().orElse(0);
    }

    private int mayBegin(String stop) {
        for (int length = Math.min(stop.length() - 1, waiting.length()); length > 0; length--) {
            if (stop.startsWith(waiting.substring(waiting.length() - length))) {
                return length;
            }
        }
        return 0;
    }
}
