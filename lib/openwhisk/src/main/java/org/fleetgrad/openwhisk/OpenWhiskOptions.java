package org.fleetgrad.openwhisk;

import java.time.Duration;

/**
 * The settings of a client. Immutable.
 *
 * @param connectTimeout longest wait for a connection
 * @param answerTimeout  longest wait for the last byte of a response
 * @param longestAnswer  longest response, in bytes
 * @param trust          the certificates to trust over https
 */
public record OpenWhiskOptions(Duration connectTimeout, Duration answerTimeout, int longestAnswer, ServerTrust trust) {

    /** A record has at most 1 MiB of result. Its logs have up to 10 MB, or more if the log store does not cut them. */
    public static final OpenWhiskOptions DEFAULT =
            new OpenWhiskOptions(Duration.ofSeconds(5), Duration.ofSeconds(30), 32 * 1024 * 1024, ServerTrust.jdk());

    /** Returns the same settings with another trust. */
    public OpenWhiskOptions withTrust(ServerTrust other) {
        return new OpenWhiskOptions(connectTimeout, answerTimeout, longestAnswer, other);
    }

    /** Returns the same settings with another timeout for a response. */
    public OpenWhiskOptions withAnswerTimeout(Duration other) {
        return new OpenWhiskOptions(connectTimeout, other, longestAnswer, trust);
    }

    /** Returns the same settings with another longest response, in bytes. */
    public OpenWhiskOptions withLongestAnswer(int other) {
        return new OpenWhiskOptions(connectTimeout, answerTimeout, other, trust);
    }
}
