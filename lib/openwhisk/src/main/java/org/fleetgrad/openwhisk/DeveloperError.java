package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Distinguishes the causes that records call "action developer error", by an annotation and by OpenWhisk's message. */
final class DeveloperError {

    private static final Pattern TIME_LIMIT = Pattern.compile(
            "The action exceeded its time limits of (\\d{1,15}) milliseconds(?:\\.|( during initialization\\.?))");
    private static final String MEMORY_EXHAUSTED = "The action exhausted its memory and was aborted.";
    private static final Pattern DIED =
            Pattern.compile("The action did not (initialize|produce a valid response) and exited unexpectedly\\.");

    private DeveloperError() {}

    static ActivationEnd end(ActivationRecord record, String message) {
        Matcher timeLimit = TIME_LIMIT.matcher(message);
        boolean isStated = timeLimit.matches();
        if (isStated || record.isTimeout()) {
            Optional<Duration> limit =
                    isStated ? Optional.of(Duration.ofMillis(Long.parseLong(timeLimit.group(1)))) : record.timeLimit();
            return new ActivationEnd.TimeLimitExceeded(limit, isStated && timeLimit.group(2) != null, message);
        }
        if (message.equals(MEMORY_EXHAUSTED)) {
            return new ActivationEnd.ContainerDied(true, message);
        }
        return DIED.matcher(message).matches()
                ? new ActivationEnd.ContainerDied(false, message)
                : new ActivationEnd.BrokenAction(message);
    }
}
