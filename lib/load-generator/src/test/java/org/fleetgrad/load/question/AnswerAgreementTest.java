package org.fleetgrad.load.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.load.question.AnswerAgreement.Compared;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;
import org.junit.jupiter.api.Test;

class AnswerAgreementTest {

    private final AnswerAgreement agreement = new AnswerAgreement(10);

    @Test
    void shouldCountImagesThatAVersionAnswersAgainAndOtherwise() {
        assertThat(compare(1, 7, 8)).isEqualTo(new Compared(0, 0));
        assertThat(compare(1, 7, 8)).isEqualTo(new Compared(2, 0));
        assertThat(compare(1, 7, 9)).isEqualTo(new Compared(2, 1));
    }

    @Test
    void shouldLetAnotherVersionAnswerOtherwise() {
        Compared unused = compare(1, 7, 8);

        assertThat(compare(2, 8, 7)).isEqualTo(new Compared(0, 0));
        assertThat(agreement.compare(new AnsweringVersion("other", 1), new int[] {0, 1}, new int[] {3, 3}))
                .isEqualTo(new Compared(0, 0));
        assertThat(compare(1, 7, 8)).isEqualTo(new Compared(2, 0));
    }

    @Test
    void shouldForgetTheVersionThatAnsweredLongestAgo() {
        for (int version = 1; version <= 5; version++) {
            Compared unused = compare(version, 7, 8);
        }

        assertThat(compare(5, 1, 1)).isEqualTo(new Compared(2, 2));
        assertThat(compare(1, 1, 1)).isEqualTo(new Compared(0, 0));
    }

    private Compared compare(long version, int... classes) {
        return agreement.compare(new AnsweringVersion("g", version), new int[] {0, 1}, classes);
    }
}
