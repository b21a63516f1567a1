package org.fleetgrad.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.access.StartRule.Exposure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartRuleTest {

    private static final StartRule RULE = new StartRule("ps.security", "read and overwrite the model", Role.WORKER);

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

        assertThat(RULE.refusal(exposure).orElse("")).satisfies(text -> check(text, refusal));
        assertThat(RULE.warning(exposure).orElse("")).satisfies(text -> check(text, warning));
    }

    private static void check(String text, String expected) {
        if (expected.isEmpty()) {
            assertThat(text).isEmpty();
        } else {
            assertThat(text).contains(expected);
        }
    }
}
