package org.fleetgrad.load.question;

import java.util.Optional;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/**
 * The verdict on a response.
 *
 * @param right   images whose class is their label
 * @param total   images that were answered; 0 if the request failed
 * @param repeated  images that the version answered before
 * @param differing those of them whose class was another one
 * @param version the version that answered
 * @param answer  id of the answer, for its feedback; empty if it has none
 * @param failure why the request failed; empty if it did not
 */
public record Verdict(
        int right,
        int total,
        int repeated,
        int differing,
        Optional<AnsweringVersion> version,
        String answer,
        String failure) {

    /** Makes a verdict on a response that was not compared with earlier ones. */
    public Verdict(int right, int total, Optional<AnsweringVersion> version, String answer, String failure) {
        this(right, total, 0, 0, version, answer, failure);
    }

    public static Verdict failed(String reason) {
        return new Verdict(0, 0, Optional.empty(), "", reason);
    }
}
