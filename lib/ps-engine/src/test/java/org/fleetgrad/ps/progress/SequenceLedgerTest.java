package org.fleetgrad.ps.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.junit.jupiter.api.Test;

class SequenceLedgerTest {

    private final SequenceLedger ledger = new SequenceLedger();
    private final Set<String> members = new HashSet<>();

    @Test
    void shouldRememberWhatAPushWasAnswered() {
        ledger.remember("a", 3, new PushOutcome.Applied(8, 2), worker -> false);

        assertThat(ledger.answered("a", 3)).contains(new PushOutcome.Applied(8, 2));
        assertThat(ledger.answered("a", 2)).isEmpty();
        assertThat(ledger.answered("b", 3)).isEmpty();
        assertThat(ledger.highest("a")).isEqualTo(3);
        assertThat(ledger.highest("b")).isZero();
    }

    @Test
    void shouldForgetNothingUntilTheWindowIsFull() {
        long first = 1000;
        for (long sequence = first; sequence < first + SequenceLedger.WINDOW - 1; sequence++) {
            remember("a", sequence);
        }

        // The window is not full, so no number below it can have been evicted.
        assertThat(ledger.isForgotten("a", 1)).isFalse();
        remember("a", 1);
        assertThat(ledger.isForgotten("a", 1)).isFalse();
        assertThat(ledger.answered("a", 1)).isPresent();
    }

    @Test
    void shouldForgetTheLowestNumberOfAFullWindow() {
        for (long sequence = 1; sequence <= SequenceLedger.WINDOW + 1; sequence++) {
            remember("a", sequence);
        }

        assertThat(ledger.isForgotten("a", 1)).isTrue();
        assertThat(ledger.isForgotten("a", 2)).isFalse();
        assertThat(ledger.answered("a", 2)).isPresent();
        assertThat(ledger.isForgotten("b", 1)).isFalse();
    }

    @Test
    void shouldTakeAGapInTheWindowForNew() {
        for (long sequence = 1; sequence <= 3 * SequenceLedger.WINDOW; sequence += 2) {
            remember("a", sequence);
        }
        long newestOdd = 3 * SequenceLedger.WINDOW - 1;

        assertThat(ledger.isForgotten("a", newestOdd - 1)).isFalse();
        assertThat(ledger.answered("a", newestOdd - 1)).isEmpty();
        assertThat(ledger.highest("a")).isEqualTo(newestOdd);
    }

    @Test
    void shouldForgetTheWorkerHeardOfLeastRecently() {
        for (int worker = 0; worker < SequenceLedger.WORKERS; worker++) {
            remember("w" + worker, 1);
        }
        // A lookup counts as activity like a push.
        assertThat(ledger.answered("w0", 1)).isPresent();

        remember("one more", 1);

        assertThat(ledger.answered("w0", 1)).isPresent();
        assertThat(ledger.answered("w1", 1)).isEmpty();
        assertThat(ledger.answered("w2", 1)).isPresent();
    }

    @Test
    void shouldNeverForgetAMemberHoweverManyOthersCome() {
        members.add("silent");
        remember("silent", 7);

        for (int worker = 0; worker < 3 * SequenceLedger.WORKERS; worker++) {
            remember("w" + worker, 1);
        }

        assertThat(ledger.answered("silent", 7)).isPresent();
        assertThat(ledger.answered("w0", 1)).isEmpty();
        assertThat(ledger.state()).hasSize(SequenceLedger.WORKERS);
    }

    @Test
    void shouldNotForgetAWorkerForTheSakeOfStrangersThatOnlyAsk() {
        remember("a", 1);

        for (int stranger = 0; stranger <= SequenceLedger.WORKERS; stranger++) {
            assertThat(ledger.answered("stranger" + stranger, 1)).isEmpty();
            assertThat(ledger.isForgotten("stranger" + stranger, 1)).isFalse();
        }

        assertThat(ledger.answered("a", 1)).isPresent();
    }

    private void remember(String worker, long sequence) {
        ledger.remember(worker, sequence, new PushOutcome.Applied(sequence, 0), members::contains);
    }
}
