package org.fleetgrad.inference.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.fleetgrad.inference.web.ModelStatusController.InferenceStatusReply;
import org.junit.jupiter.api.Test;

class InferenceStatusReplyTest {

    @Test
    void shouldTellTheNamesOfAllClasses() {
        assertThat(InferenceStatusReply.listed(List.of("cat", "dog"))).containsExactly("cat", "dog");
    }

    @Test
    void shouldLeaveOutNamesThatAreTooLongForAStatus() {
        // With quotes and comma, each takes 1,024 characters.
        List<String> fitting = Collections.nCopies(InferenceStatusReply.MAX_CLASS_CHARACTERS / 1024, "x".repeat(1021));
        List<String> tooLong = Collections.nCopies(InferenceStatusReply.MAX_CLASS_CHARACTERS / 1024, "x".repeat(1022));

        assertThat(InferenceStatusReply.listed(fitting)).isEqualTo(fitting);
        assertThat(InferenceStatusReply.listed(tooLong)).isNull();
    }
}
