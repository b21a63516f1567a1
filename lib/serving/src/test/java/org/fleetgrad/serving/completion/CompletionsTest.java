package org.fleetgrad.serving.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.fleetgrad.serving.FakeTexts.TOKEN_BYTES;
import static org.fleetgrad.serving.FakeTexts.VERSION_BYTES;
import static org.fleetgrad.serving.FakeTexts.version;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.serving.FakeTexts;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome.Closing;
import org.fleetgrad.serving.PredictionOutcome.CompletionsFull;
import org.fleetgrad.serving.PredictionOutcome.NoVersion;
import org.fleetgrad.serving.PredictionOutcome.NotHeld;
import org.fleetgrad.serving.completion.CompletionEnd.Reason;
import org.fleetgrad.serving.completion.CompletionStart.Begun;
import org.fleetgrad.serving.completion.CompletionStart.Invalid;
import org.fleetgrad.serving.completion.CompletionStart.Refused;
import org.fleetgrad.serving.policy.WantedVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletionsTest {

    private static final int MOST_RUNNING = 3;
    private static final int MOST_PROMPT = 200;
    private static final long BYTES = 3000;

    private final FakeTexts texts = new FakeTexts();
    private final LiveModel model = texts.model();
    private final LongAdder between = new LongAdder();
    private final Completions completions = new Completions(
            model, new CompletionLimits(MOST_RUNNING, BYTES, MOST_PROMPT, 1), nanos -> between.increment());

    @AfterEach
    void everythingIsFreed() {
        texts.turns.release(1000);
        completions.close();
        model.close();
        assertThat(texts.decoders).hasValue(0);
        assertThat(texts.open).as("instances of the network").hasValue(0);
        assertThat(completions.running()).isZero();
        assertThat(completions.bytes()).isZero();
    }

    private static CompletionRequest request(int maxTokens, String... stop) {
        return new CompletionRequest(WantedVersion.BY_POLICY, false, "?", maxTokens, Sampling.GREEDY, 0, List.of(stop));
    }

    private static CompletionRequest live(int maxTokens) {
        return new CompletionRequest(WantedVersion.BY_POLICY, true, "?", maxTokens, Sampling.GREEDY, 0, List.of());
    }

    private RecordedText begin(CompletionRequest request) {
        RecordedText recorded = new RecordedText();
        assertThat(completions.begin(request, recorded)).isInstanceOf(Begun.class);
        return recorded;
    }

    private void hold() {
        texts.turns.drainPermits();
    }

    @Test
    void shouldSayAsManyTokensAsAskedFor() throws Exception {
        model.swapTo(version(1), FakeTexts.says("abc"));

        RecordedText recorded = begin(request(5));

        assertThat(recorded.end()).isEqualTo(new CompletionEnd(Reason.LENGTH, 1, 5, version(1)));
        assertThat(recorded.parts).containsExactly("1:a", "1:b", "1:c", "1:a", "1:b");
        assertThat(completions.begun()).isEqualTo(1);
        assertThat(completions.tokens()).isEqualTo(5);
        assertThat(between.sum()).as("times between two of five tokens").isEqualTo(4);
    }

    @Test
    void shouldSendACharacterOnlyOnceAllItsBytesCame() throws Exception {
        model.swapTo(version(1), FakeTexts.says("é€😀"));

        RecordedText recorded = begin(request(10));

        assertThat(recorded.end().completionTokens()).isEqualTo(10);
        assertThat(recorded.parts).as("the tenth byte begins another é").containsExactly("1:é", "1:€", "1:😀");
    }

    @Test
    void shouldEndBeforeAStopTextThatComesInSeveralTokens() throws Exception {
        model.swapTo(version(1), FakeTexts.says("one, two; three"));

        RecordedText recorded = begin(request(50, "; t", "never"));

        assertThat(recorded.end()).isEqualTo(new CompletionEnd(Reason.STOP, 1, 11, version(1)));
        assertThat(recorded.text()).isEqualTo("one, two");
    }

    @Test
    void shouldSendAtTheEndWhatMightHaveBegunAStopText() throws Exception {
        model.swapTo(version(1), FakeTexts.says("abcd"));

        RecordedText recorded = begin(request(3, "bcx"));

        assertThat(recorded.end().reason()).isEqualTo(Reason.LENGTH);
        assertThat(recorded.text()).isEqualTo("abc");
    }

    @Test
    void shouldComputeAllTokensWithOneVersionHoweverManyArriveMeanwhile() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText recorded = begin(request(6));
        for (int number = 2; number <= 6; number++) {
            model.swapTo(version(number), FakeTexts.says("b"));
            texts.turns.release();
            recorded.await(number - 1);
        }
        assertThat(model.versions()).containsExactly(version(5), version(6));
        assertThat(texts.open).as("two are held, and one is leased").hasValue(3);
        texts.turns.release();

        assertThat(recorded.end().version()).isEqualTo(version(1));
        assertThat(recorded.text()).isEqualTo("aaaaaa");
        assertThat(texts.open).as("the leased one is closed").hasValue(2);
    }

    @Test
    void shouldComputeEachTokenOfALiveCompletionWithTheVersionOfItsTime() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText recorded = begin(live(4));
        for (int number = 1; number <= 3; number++) {
            texts.turns.release();
            recorded.await(number);
            // The next token is begun already.
            model.swapTo(version(number + 1), FakeTexts.says(Character.toString('a' + number)));
        }
        texts.turns.release();

        assertThat(recorded.end().completionTokens()).isEqualTo(4);
        assertThat(recorded.parts).first().isEqualTo("1:a");
        assertThat(recorded.parts).isSorted().last().isNotEqualTo("1:a");
        assertThat(recorded.parts).isSubsetOf("1:a", "2:b", "3:c", "4:d");
    }

    @Test
    void shouldGiveAllCompletionsTheirTokensInTurn() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText first = begin(request(10));
        RecordedText second = begin(request(10));
        for (int turn = 1; turn <= 5; turn++) {
            texts.turns.release(2);
            first.await(turn);
            second.await(turn);
            assertThat(first.count()).isEqualTo(turn);
            assertThat(second.count()).isEqualTo(turn);
        }
        texts.turns.release(10);
        assertThat(first.end().completionTokens()).isEqualTo(10);
        assertThat(second.end().completionTokens()).isEqualTo(10);
    }

    private static CompletionRequest prompt(int length, boolean isLive, int maxTokens) {
        return new CompletionRequest(
                WantedVersion.BY_POLICY, isLive, "x".repeat(length), maxTokens, Sampling.GREEDY, 0, List.of());
    }

    @Test
    void shouldComputeALongPromptInTurnsBetweenTheTokensOfOthers() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText other = begin(request(10));
        RecordedText longer = begin(prompt(2 * RunningCompletion.TOKENS_OF_TURN + 1, false, 2));
        for (int turn = 1; turn <= 2; turn++) {
            texts.turns.release(2);
            other.await(turn);
            assertThat(longer.count()).isZero();
        }
        texts.turns.release(10);

        assertThat(longer.end()).isEqualTo(new CompletionEnd(Reason.LENGTH, 65, 2, version(1)));
        assertThat(other.end().completionTokens()).isEqualTo(10);
        assertThat(completions.tokens()).isEqualTo(12);
        assertThat(between.sum()).isEqualTo(9 + 1);
    }

    @Test
    void shouldComputeAtOnceWhatIsLongerThanTheContext() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText recorded = begin(prompt(101, false, 1));
        texts.turns.release(1);

        assertThat(recorded.end().completionTokens()).isEqualTo(1);
    }

    @Test
    void shouldComputeATextWithOneVersionBeforeItFollowsTheNext() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText recorded = begin(prompt(70, true, 3));
        // The text takes three turns with each version, and a version comes in each turn.
        for (int number = 2; number <= 10; number++) {
            model.swapTo(version(number), FakeTexts.says("a"));
            texts.turns.release(1);
        }

        assertThat(recorded.end().completionTokens()).isEqualTo(3);
        assertThat(recorded.text()).isEqualTo("aaa");
    }

    @Test
    void shouldRefuseWhenTheBytesAreTaken() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText first = begin(request(149));

        CompletionStart second = completions.begin(request(149), new RecordedText());

        long taken = VERSION_BYTES + 150 * TOKEN_BYTES;
        assertThat(second)
                .isEqualTo(new Refused(new CompletionsFull(1, MOST_RUNNING, taken, 150 * TOKEN_BYTES, BYTES)));
        assertThat(completions.bytes()).isEqualTo(taken);
        assertThat(completions.refused()).isEqualTo(1);
        texts.turns.release(149);
        assertThat(first.end().completionTokens()).isEqualTo(149);
        assertThat(completions.bytes()).isZero();
        texts.turns.release(149);
        assertThat(begin(request(149)).end().completionTokens()).isEqualTo(149);
    }

    @Test
    void shouldCountAVersionThatSeveralLeaseOnce() {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        begin(request(1));
        begin(request(1));
        assertThat(completions.bytes()).isEqualTo(VERSION_BYTES + 2 * 2 * TOKEN_BYTES);

        model.swapTo(version(2), FakeTexts.says("b"));
        begin(request(1));

        assertThat(completions.bytes()).isEqualTo(2 * VERSION_BYTES + 3 * 2 * TOKEN_BYTES);
        assertThat(completions.begin(request(1), new RecordedText()))
                .as("a fourth completion")
                .isInstanceOf(Refused.class);
    }

    @Test
    void shouldSayWhatCanNeverBegin() {
        model.swapTo(version(1), FakeTexts.says("a"));

        assertThat(completions.begin(request(299), new RecordedText()))
                .isEqualTo(
                        new Invalid(
                                "the completion takes 16 bytes for its version and 3000 for its cache; completions take 3000 at most"));
        CompletionRequest longer = new CompletionRequest(
                WantedVersion.BY_POLICY, false, "x".repeat(201), 1, Sampling.GREEDY, 0, List.of());
        assertThat(completions.begin(longer, new RecordedText()))
                .isEqualTo(new Invalid("a prompt has 1 to 200 tokens; it has 201"));
    }

    @Test
    void shouldRefuseVersionsThatAreNotHeld() {
        assertThat(completions.begin(request(1), new RecordedText())).isEqualTo(new Refused(new NoVersion()));

        model.swapTo(version(1), FakeTexts.says("a"));
        WantedVersion second = WantedVersion.parse("2");
        CompletionRequest named = new CompletionRequest(second, false, "?", 1, Sampling.GREEDY, 0, List.of());

        assertThat(completions.begin(named, new RecordedText()))
                .isEqualTo(new Refused(new NotHeld(second, List.of(version(1)))));
    }

    @Test
    void shouldFreeEverythingOfACancelledCompletion() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText recorded = new RecordedText();
        Begun begun = (Begun) completions.begin(request(50), recorded);
        texts.turns.release();
        recorded.await(1);

        begun.completion().cancel();
        texts.turns.release();

        await().until(() -> completions.running() == 0);
        assertThat(texts.decoders).hasValue(0);
        assertThat(recorded.isOver()).as("the listener is told nothing").isFalse();
    }

    @Test
    void shouldEndAllCompletionsWhenItCloses() throws Exception {
        model.swapTo(version(1), FakeTexts.says("a"));
        hold();
        RecordedText first = begin(request(20));
        RecordedText second = begin(request(20));
        texts.turns.release(2);
        second.await(1);

        Thread closing = new Thread(completions::close);
        closing.start();
        await().until(() -> completions.begin(request(1), new RecordedText()).equals(new Refused(new Closing())));
        texts.turns.release();
        closing.join();

        assertThat(first.outcome()).isEqualTo(new Closing());
        assertThat(second.outcome()).isEqualTo(new Closing());
        assertThat(completions.running()).isZero();
    }
}
