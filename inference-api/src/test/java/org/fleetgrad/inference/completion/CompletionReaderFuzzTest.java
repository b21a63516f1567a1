package org.fleetgrad.inference.completion;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.serving.completion.CompletionRequest;

class CompletionReaderFuzzTest {

    private static final CompletionReader READER = new CompletionReader("fleetgrad", 100);

    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] body) {
        try {
            CompletionRequest request = READER.read(body).request();
            assertThat(request.maxTokens()).isBetween(1, 100);
            assertThat(request.stop()).hasSizeLessThanOrEqualTo(4).doesNotContain("");
            assertThat(request.sampling().temperature()).isBetween(0.0, 2.0);
        } catch (RequestRefused refused) {
            assertThat(refused.detail()).hasSizeLessThan(1000);
        }
    }
}
