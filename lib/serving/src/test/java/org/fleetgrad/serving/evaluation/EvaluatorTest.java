package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.serving.Classifier;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class EvaluatorTest {

    private static final int CLASSES = 8;
    private static final long IMAGE_BYTES = 1000;
    /** Image i is one pixel of value 10 i, and its label is i. */
    private static final ImageSamples SAMPLES =
            new ImageSamples(1, 1, 1, new byte[] {0, 10, 20, 30, 40, 50, 60, 70}, new byte[] {0, 1, 2, 3, 4, 5, 6, 7});

    private static final TestSet TEST_SET = new TestSet(
            SAMPLES,
            new ImageSchema(List.of("zero", "one"), List.of(1, 1, 1), new Normalization(List.of(0f), List.of(1f))));

    private static final TensorSet PARAMETERS =
            TensorSet.ofFloats(TensorLayout.canonical(List.of(TensorSpec.f32("w", 1))), new float[1], Map.of());

    private final List<Integer> batches = new ArrayList<>();

    @Test
    void shouldCountLabelsAmongTheFirstFive() {
        // The logits fall with the class's number: label i is the (i + 1)-th.
        Evaluation outcome = evaluate(1 << 20, CLASSES, new float[] {7, 6, 5, 4, 3, 2, 1, 0});

        assertThat(outcome.accuracy()).hasValue(1 / 8.0);
        assertThat(outcome.accuracyTop5()).contains(5 / 8.0);
        double normalizer =
                Math.log(IntStream.range(0, CLASSES).mapToDouble(Math::exp).sum());
        double loss = IntStream.range(0, CLASSES)
                .mapToDouble(logit -> normalizer - logit)
                .average()
                .orElseThrow();
        assertThat(outcome.loss()).isCloseTo(loss, within(1e-12));
    }

    @Test
    void shouldRankEqualLogitsByTheNumberOfTheClass() {
        Evaluation outcome = evaluate(1 << 20, CLASSES, new float[CLASSES]);

        assertThat(outcome.accuracy()).hasValue(1 / 8.0);
        assertThat(outcome.accuracyTop5()).contains(5 / 8.0);
    }

    @Test
    void shouldBoundABatchByBytes() {
        Evaluation of3 = evaluate(3 * IMAGE_BYTES + 999, CLASSES, new float[] {7, 6, 5, 4, 3, 2, 1, 0});
        assertThat(batches).containsExactly(3, 3, 2);

        batches.clear();
        Evaluation of1 = evaluate(1, CLASSES, new float[] {7, 6, 5, 4, 3, 2, 1, 0});
        assertThat(batches).hasSize(8).containsOnly(1);

        batches.clear();
        Evaluation of8 = evaluate(1 << 30, CLASSES, new float[] {7, 6, 5, 4, 3, 2, 1, 0});
        assertThat(batches).containsExactly(8);
        assertThat(List.of(of1, of3)).containsOnly(of8);
    }

    @Test
    void shouldTakeAsManyImagesABatchAsAsked() {
        Evaluation of3 = evaluate(Evaluator.inBatchesOf(3, new ManualClock()), CLASSES, new float[CLASSES]);
        assertThat(batches).containsExactly(3, 3, 2);

        batches.clear();
        Evaluation of100 = evaluate(Evaluator.inBatchesOf(100, new ManualClock()), CLASSES, new float[CLASSES]);
        assertThat(batches).containsExactly(8);
        assertThat(of3).isEqualTo(of100);
    }

    /** Four logits in each of three tokens of two samples; the last label of the second does not count. */
    @Test
    void shouldMeasureATextByToken() {
        TextSchema schema = new TextSchema(CharacterTokenizer.of("abcd"), 3);
        TextSamples text = TextSamples.heldOut(Tokens.of(0, 1, 2, 3, 0, 1), 3);
        ServedNetwork network = new ServedNetwork("fixed", new LanguageModel(3, 4), IMAGE_BYTES);
        float[] sample = {0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0};

        Evaluation outcome = Evaluator.inBatchesOf(2, new ManualClock())
                .evaluate(
                        new ParameterVersion("g", 1),
                        PARAMETERS,
                        network,
                        new TestSet(text, schema),
                        new Fixed(sample));

        // Labels 1, 2, 3; 0, 1: right are 1 and 2; the others are among logits of (0, 9, 0, 0), (0, 0, 9, 0), (0, 0, 0,
        // 0).
        double right = Math.log(3 + Math.exp(9)) - 9;
        double wrong = Math.log(3 + Math.exp(9));
        assertThat(outcome.loss()).isCloseTo((2 * right + Math.log(4) + 2 * wrong) / 5, within(1e-6));
        assertThat(outcome.accuracy()).hasValue(2 / 5.0);
        assertThat(outcome.perplexity()).contains(Math.exp(outcome.loss()));
        // Each of the five tokens is a character.
        assertThat(outcome.bitsPerCharacter().orElseThrow()).isCloseTo(outcome.loss() / Math.log(2), within(1e-12));
        assertThat(outcome.report().text())
                .isEqualTo(new TextFigures(3, outcome.bitsPerCharacter().orElseThrow()));
        assertThat(outcome.samples()).isEqualTo(2);
        assertThat(evaluate(1 << 20, CLASSES, new float[CLASSES]).perplexity()).isEmpty();
    }

    @Test
    void shouldReportWhatWasMeasured() {
        Evaluation outcome = evaluate(1 << 20, CLASSES, new float[] {7, 6, 5, 4, 3, 2, 1, 0});

        assertThat(outcome.report())
                .isEqualTo(new PutAccuracyRequest(
                        "g", 1L, 1 / 8.0, 5 / 8.0, outcome.loss(), null, null, null, null, (long) CLASSES));
    }

    private Evaluation evaluate(long memory, int outputs, float[] logits) {
        return evaluate(Evaluator.within(memory, new ManualClock()), outputs, logits);
    }

    private Evaluation evaluate(Evaluator evaluator, int outputs, float[] logits) {
        ServedNetwork network =
                new ServedNetwork("fixed", new ImageClassification(List.of(1, 1, 1), outputs), IMAGE_BYTES);
        return evaluator.evaluate(new ParameterVersion("g", 1), PARAMETERS, network, TEST_SET, new Fixed(logits));
    }

    /** Answers each image with the same logits. */
    private final class Fixed implements Classifier {

        private final float[] logits;

        Fixed(float[] logits) {
            this.logits = logits;
        }

        @Override
        public void load(TensorSet parameters) {}

        @Override
        public float[] logits(float[] images, int count) {
            batches.add(count);
            float[] all = new float[count * logits.length];
            for (int i = 0; i < count; i++) {
                System.arraycopy(logits, 0, all, i * logits.length, logits.length);
            }
            return all;
        }

        @Override
        public void close() {}
    }
}
