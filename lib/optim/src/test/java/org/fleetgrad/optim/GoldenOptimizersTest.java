package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the optimizers with numbers from the tests of three other frameworks. */
class GoldenOptimizersTest {

    /** The numbers and their replay in PyTorch already differ by this much. */
    private static final float TOLERANCE = 5e-7f;

    /** A thousand gradients of a regression, each summed in a different order. */
    private static final float THOUSAND_GRADIENTS = 2e-6f;

    /** One file rounds its numbers to four decimals. */
    private static final float FOUR_DECIMALS = 6e-5f;

    /** The gradient of the function that the golden file calls the loss. */
    private interface Gradient {
        float[] at(float[] parameters, int step);
    }

    @TestFactory
    Stream<DynamicTest> shouldReachGoldenNumbers() {
        JsonNode golden = JsonMapper.shared().readTree(SharedData.require("golden/optim/golden.json"));
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode one : golden) {
            String source = one.get("source").stringValue();
            tests.add(DynamicTest.dynamicTest(source.substring(source.lastIndexOf("::") + 2), () -> reach(one)));
        }
        assertThat(tests).hasSize(13);
        return tests.stream();
    }

    private static void reach(JsonNode one) {
        if (one.has("expected_after_each_step")) {
            JsonNode expected = one.get("expected_after_each_step");
            List<float[]> after = train(one, JsonSettings.floats(one.get("init")), elementwise(one), expected.size());
            for (int step = 0; step < expected.size(); step++) {
                assertThat(after.get(step))
                        .as("after step %d", step + 1)
                        .containsExactly(JsonSettings.floats(expected.get(step)), Offset.offset(TOLERANCE));
            }
        } else if (one.has("problem")) {
            float tolerance = one.get("optimizer").stringValue().equals("AdamW") ? FOUR_DECIMALS : THOUSAND_GRADIENTS;
            assertThat(last(train(
                            one,
                            new float[3],
                            regression(one.get("problem")),
                            one.get("steps").intValue())))
                    .containsExactly(weightsAndBias(one.get("expected_final"), "w", "b"), Offset.offset(tolerance));
        } else {
            float[] initial = weightsAndBias(one.get("init"), "W", "b");
            assertThat(last(train(one, initial, GoldenOptimizersTest::sumOfLinear, 50)))
                    .containsExactly(weightsAndBias(one.get("expected_final"), "W", "b"), Offset.offset(TOLERANCE));
        }
    }

    private static List<float[]> train(JsonNode one, float[] parameters, Gradient gradient, int steps) {
        JsonNode hyper = one.get("hyper");
        Optimizer optimizer =
                Optimizer.create(JsonSettings.settings(one.get("optimizer").stringValue(), hyper), parameters.length);
        List<float[]> after = new ArrayList<>();
        for (int step = 1; step <= steps; step++) {
            optimizer.step(
                    parameters, gradient.at(parameters, step), hyper.get("lr").floatValue());
            after.add(parameters.clone());
        }
        return after;
    }

    private static float[] last(List<float[]> after) {
        return after.get(after.size() - 1);
    }

    private static Gradient elementwise(JsonNode one) {
        return (parameters, step) -> {
            int n = parameters.length;
            float[] gradient = new float[n];
            for (int i = 0; i < n; i++) {
                float p = parameters[i];
                float rate = one.has("rate") ? one.get("rate").get(i).floatValue() : 1;
                gradient[i] = switch (one.get("loss").stringValue()) {
                    case "mean(t*rate)" -> rate / n;
                    case "mean((t*rate)^2)" -> 2 * p * rate * rate / n;
                    case "mean(exp(t)^2)" -> (float) (2 * StrictMath.exp(2 * p) / n);
                    default ->
                        throw new IllegalArgumentException(one.get("loss").stringValue());
                };
            }
            return gradient;
        };
    }

    /** The gradient of {@code sum(x W + b)}, with {@code x} two rows of {@code step / 10}: W is 6 by 6, then b. */
    private static float[] sumOfLinear(float[] parameters, int step) {
        float[] gradient = new float[parameters.length];
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = i < 36 ? 2 * 0.1f * step : 2;
        }
        return gradient;
    }

    /** The gradient of {@code sum((x w + b - (x v + c))^2)}: two weights, then b. */
    private static Gradient regression(JsonNode problem) {
        float[] v = JsonSettings.floats(problem.get("w_gen").get(0));
        float c = problem.get("b_gen").get(0).floatValue();
        return (parameters, step) -> {
            float[] gradient = new float[3];
            for (JsonNode row : problem.get("xs")) {
                float[] x = JsonSettings.floats(row);
                float error = (parameters[0] - v[0]) * x[0] + (parameters[1] - v[1]) * x[1] + parameters[2] - c;
                gradient[0] += 2 * error * x[0];
                gradient[1] += 2 * error * x[1];
                gradient[2] += 2 * error;
            }
            return gradient;
        };
    }

    private static float[] weightsAndBias(JsonNode from, String weights, String bias) {
        List<Float> values = new ArrayList<>();
        for (JsonNode row : from.get(weights)) {
            row.forEach(value -> values.add(value.floatValue()));
        }
        JsonNode b = from.get(bias);
        if (b.isArray()) {
            b.forEach(value -> values.add(value.floatValue()));
        } else {
            values.add(b.floatValue());
        }
        float[] all = new float[values.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = values.get(i);
        }
        return all;
    }
}
