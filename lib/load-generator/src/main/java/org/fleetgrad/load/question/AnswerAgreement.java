package org.fleetgrad.load.question;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/**
 * Compares answers to the same image by the same version, which must be the same: otherwise an answer names a version that it is not
 * of. Remembers the versions that answered last. Thread-safe.
 */
final class AnswerAgreement {

    /** A version takes four bytes for each sample. */
    private static final int MOST_VERSIONS = 4;

    private static final int NOT_ASKED = Integer.MIN_VALUE;

    private final int samples;
    private final Map<AnsweringVersion, int[]> answers = new LinkedHashMap<>(MOST_VERSIONS, 0.75f, true);

    AnswerAgreement(int samples) {
        this.samples = samples;
    }

    /**
     * What a comparison found.
     *
     * @param repeated  images that the version was asked about before
     * @param differing those of them to which it gave another class
     */
    record Compared(int repeated, int differing) {}

    /** Compares the classes of some samples with those before, and remembers them. */
    synchronized Compared compare(AnsweringVersion version, int[] asked, int[] classes) {
        int[] known = answers.get(version);
        if (known == null) {
            known = new int[samples];
            Arrays.fill(known, NOT_ASKED);
            answers.put(version, known);
            if (answers.size() > MOST_VERSIONS) {
                answers.remove(answers.keySet().iterator().next());
            }
        }
        int repeated = 0;
        int differing = 0;
        for (int i = 0; i < asked.length; i++) {
            int before = known[asked[i]];
            repeated += before == NOT_ASKED ? 0 : 1;
            differing += before == NOT_ASKED || before == classes[i] ? 0 : 1;
            known[asked[i]] = classes[i];
        }
        return new Compared(repeated, differing);
    }
}
