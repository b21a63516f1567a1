package org.fleetgrad.openwhisk;

import java.time.Duration;

/**
 * How a client talks. Immutable.
 *
 * @param connectTimeout longest wait for a connection
 * @param answerTimeout  longest wait for an answer to its last byte
 * @param longestAnswer  most bytes of an answer that are read
 * @param trust          whose certificates are trusted over https
 */
public record OpenWhiskOptions(Duration connectTimeout, Duration answerTimeout, int longestAnswer, ServerTrust trust) {

    /** A record has at most 1 MiB of result; its logs are 10 MB, or more where the log store does not cut them. */
    public static final OpenWhiskOptions DEFAULT =
            new OpenWhiskOptions(Duration.ofSeconds(5), Duration.ofSeconds(30), 32 * 1024 * 1024, ServerTrust.jdk());

    /** Returns the same with another trust. */
    public OpenWhiskOptions withTrust(ServerTrust other) {
        return new OpenWhiskOptions(connectTimeout, answerTimeout, longestAnswer, other);
    }

    /** Returns the same with another wait for an answer. */
    public OpenWhiskOptions withAnswerTimeout(Duration other) {
        return new OpenWhiskOptions(connectTimeout, other, longestAnswer, trust);
    }

    /** Returns the same with another bound of an answer, in bytes. */
    public OpenWhiskOptions withLongestAnswer(int other) {
        return new OpenWhiskOptions(connectTimeout, answerTimeout, other, trust);
    }
}
