package org.fleetgrad.ps.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.ps.security.StartRule.Exposure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartRuleTest {

    @ParameterizedTest
    @CsvSource({
        "false, false, false, there are no keys, SECURITY IS OFF",
        "false, false, true, there are no keys, SECURITY IS OFF",
        "false, true, false, '', SECURITY IS OFF",
        "false, true, true, '', SECURITY IS OFF",
        "true, false, false, '', travel in the clear",
        "true, false, true, '', ''",
        "true, true, false, '', ''",
        "true, true, true, '', ''"
    })
    void shouldRefuseServersWithoutKeysThatOthersCanReachAndWarnOfUnprotectedOnes(
            boolean hasKeys, boolean isLoopback, boolean isTls, String refusal, String warning) {
        Exposure exposure = new Exposure(hasKeys, isLoopback, isTls);

        assertThat(StartRule.refusal(exposure).orElse("")).satisfies(text -> check(text, refusal));
        assertThat(StartRule.warning(exposure).orElse("")).satisfies(text -> check(text, warning));
    }

    private static void check(String text, String expected) {
        if (expected.isEmpty()) {
            assertThat(text).isEmpty();
        } else {
            assertThat(text).contains(expected);
        }
    }
}
