package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares every optimizer and schedule with PyTorch's in float64: {@code src/test/python/make_trajectories.py}, which also says
 * where the tolerances come from.
 */
class PyTorchTrajectoriesTest {

    /** PyTorch's schedulers count steps. Here they are steps of one batch of this many samples. */
    private static final long BATCH = 32;

    private final JsonNode recorded = recorded();

    @TestFactory
    Stream<DynamicTest> shouldFollowPyTorchStepByStep() {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode one : recorded.get("cases")) {
            OptimizerSettings settings =
                    JsonSettings.settings(one.get("optimizer").stringValue(), one.get("hyper"));
            tests.add(DynamicTest.dynamicTest(settings.toString(), () -> follow(settings, one)));
        }
        assertThat(tests).hasSize(80);
        return tests.stream();
    }

    private void follow(OptimizerSettings settings, JsonNode expected) {
        float[] parameters = JsonSettings.floats(recorded.get("initial"));
        float[] learningRates = JsonSettings.floats(recorded.get("learningRates"));
        Optimizer optimizer = Optimizer.create(settings, parameters.length);
        for (int step = 0; step < learningRates.length; step++) {
            optimizer.step(
                    parameters, JsonSettings.floats(recorded.get("gradients").get(step)), learningRates[step]);
            assertClose(
                    "parameters after step " + (step + 1),
                    parameters,
                    JsonSettings.floats(expected.get("parameters").get(step)),
                    JsonSettings.floats(expected.get("tolerances").get("parameters")));
        }
        assertThat(optimizer.state().steps()).isEqualTo(learningRates.length);
        assertThat(optimizer.state().buffers().keySet())
                .containsExactlyInAnyOrderElementsOf(expected.get("state").propertyNames());
        optimizer
                .state()
                .buffers()
                .forEach((name, values) -> assertClose(
                        name,
                        values,
                        JsonSettings.floats(expected.get("state").get(name)),
                        JsonSettings.floats(expected.get("tolerances").get(name))));
    }

    private static void assertClose(String what, float[] actual, float[] expected, float[] tolerances) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).as("%s, value %d", what, i).isEqualTo(expected[i], Offset.offset(tolerances[i]));
        }
    }

    @Test
    void shouldDecayInStepsLikePyTorch() {
        JsonNode expected = recorded.get("schedules").get("step_decay");
        assertRates(stepDecay(expected), expected);
    }

    @Test
    void shouldDecayAtMilestonesLikePyTorch() {
        JsonNode expected = recorded.get("schedules").get("milestones");
        List<Long> milestones = new ArrayList<>();
        expected.get("milestones").forEach(step -> milestones.add(step.longValue() * BATCH));
        assertRates(
                new LearningRateSchedule.Milestones(
                        expected.get("base").floatValue(),
                        milestones,
                        expected.get("gamma").floatValue()),
                expected);
    }

    @Test
    void shouldFallAlongCosineLikePyTorch() {
        JsonNode expected = recorded.get("schedules").get("cosine");
        assertRates(cosine(expected), expected);
    }

    @Test
    void shouldWarmUpLikePyTorch() {
        JsonNode steps = recorded.get("schedules").get("warm_up_step_decay");
        JsonNode cosine = recorded.get("schedules").get("warm_up_cosine");
        assertRates(warmUp(steps, stepDecay(steps)), steps);
        assertRates(warmUp(cosine, cosine(cosine)), cosine);
    }

    private static LearningRateSchedule warmUp(JsonNode expected, LearningRateSchedule then) {
        return new LearningRateSchedule.LinearWarmup(expected.get("steps").longValue() * BATCH, then);
    }

    private static LearningRateSchedule cosine(JsonNode expected) {
        return new LearningRateSchedule.Cosine(
                expected.get("base").floatValue(),
                expected.get("totalSteps").longValue() * BATCH,
                expected.get("minimum").floatValue());
    }

    private static LearningRateSchedule stepDecay(JsonNode expected) {
        return new LearningRateSchedule.StepDecay(
                expected.get("base").floatValue(),
                expected.get("stepSize").longValue() * BATCH,
                expected.get("gamma").floatValue());
    }

    private static void assertRates(LearningRateSchedule schedule, JsonNode expected) {
        float[] rates = JsonSettings.floats(expected.get("rates"));
        for (int step = 0; step < rates.length; step++) {
            assertThat(schedule.at(step * BATCH))
                    .as("step %d", step)
                    .isEqualTo(rates[step], Offset.offset(2 * Math.ulp(rates[step])));
        }
    }

    private static JsonNode recorded() {
        try (InputStream file = PyTorchTrajectoriesTest.class.getResourceAsStream("/trajectories.json")) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
