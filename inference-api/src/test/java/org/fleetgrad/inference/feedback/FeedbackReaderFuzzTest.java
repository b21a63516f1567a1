package org.fleetgrad.inference.feedback;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.fleetgrad.access.RequestRefused;

class FeedbackReaderFuzzTest {

    private final Feedback feedback = new Feedback(64, new byte[Feedback.KEY_BYTES]);

    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] body) {
        try {
            FeedbackOutcome unused = feedback.take(FeedbackReader.read(body));
        } catch (RequestRefused refused) {
            // As documented.
        }
    }
}
