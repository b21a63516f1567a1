package org.fleetgrad.runs.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.runs.ExampleStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void shouldShowWhatTheEvaluatorReported() {
        assertThat(Figures.status(status(0.9132, 0.9971, 0.25, null, 1180L)))
                .contains("accuracy 91.32% (top-5 99.71%) at version 1180, held-out loss 0.2500");
    }

    @Test
    void shouldLeaveOutWhatItDidNotReport() {
        assertThat(Figures.status(status(0.9132, null, null, null, 1180L)))
                .contains("accuracy 91.32% at version 1180, held-out loss -");
        assertThat(Figures.status(status(null, null, null, null, null)))
                .contains("accuracy - at version -, held-out loss -");
    }

    @Test
    void shouldShowTheLossOfATextInPlaceOfTheShareOfTokensRight() {
        StatusReply status = status(0.4, 0.7, 1.875, new TextFigures(64, 2.705), 1180L);

        assertThat(Figures.status(status))
                .contains("held-out loss 1.8750 (perplexity 6.52, 2.705 bits a character) at version 1180")
                .doesNotContain("accuracy");
        assertThat(Figures.progress(new LanguageModel(64, 65), status, 100, 5, Optional.of(new TimeLeft(0.5, 5, 5, 5))))
                .contains(
                        "5 s (50%, about 5 s left)  version 1,200  ",
                        "  6,400 tokens/s  ", "held-out loss 1.8750 (perplexity 6.52, 2.705 bits a character)")
                .doesNotContain("accuracy");
    }

    @Test
    void shouldSayHowMuchOfTheWorkIsDone() {
        StatusReply.Work half = new StatusReply.Work("mnist", 3, 6, 60_000, 90_000, 8, 2, false);
        StatusReply.Work endless = new StatusReply.Work("mnist", 0, 6, 60_000, 90_000, 8, 2, false);
        StatusReply.Work done = new StatusReply.Work("mnist", 3, 6, 60_000, 180_000, 18, 0, true);

        assertThat(Figures.status(working(half))).contains("work: 50%, 1.50 of 3 epochs of mnist; 2 shards under way");
        assertThat(Figures.status(working(endless))).contains("work: 1.50 epochs of mnist, without an end; 2 shards");
        assertThat(Figures.status(working(done))).contains("work: 100%, 3.00 of 3 epochs of mnist; done");
        assertThat(Figures.status(working(null))).doesNotContain("work:");
    }

    @Test
    void shouldShowThePerplexityOfTrainingTextsInPlaceOfTheShareOfTokensRight() {
        assertThat(Figures.training(new LanguageModel(64, 65), 1.875, 0.4)).isEqualTo("loss 1.8750 (perplexity 6.52)");
        assertThat(Figures.training(new ImageClassification(List.of(1, 28, 28), 10), 0.25, 0.913))
                .isEqualTo("loss 0.2500, 91.3% of the training samples right");
    }

    private static StatusReply working(StatusReply.@Nullable Work work) {
        return status(null, null, null, null, null, work);
    }

    private static StatusReply status(
            @Nullable Double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double heldOutLoss,
            @Nullable TextFigures text,
            @Nullable Long accuracyVersion) {
        return status(accuracy, accuracyTop5, heldOutLoss, text, accuracyVersion, null);
    }

    private static StatusReply status(
            @Nullable Double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double heldOutLoss,
            @Nullable TextFigures text,
            @Nullable Long accuracyVersion,
            StatusReply.@Nullable Work work) {
        return new ExampleStatus("g", 1200, 38400, accuracyVersion, accuracy, accuracyTop5, heldOutLoss, text, work)
                .reply();
    }
}
