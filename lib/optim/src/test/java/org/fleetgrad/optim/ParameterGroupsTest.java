package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Factors of the learning rate, beside parameter groups of {@code torch.optim} under a schedule. */
@Tag("whole")
class ParameterGroupsTest {

    private static final int STEPS = 30;
    private static final int SIZE = 12;

    private static final String TORCH = """
            import json, sys, torch
            name, arguments, values = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
            p = [torch.tensor(part, dtype=torch.float64, requires_grad=True) for part in values["parameters"]]
            groups = [{"params": [each], "lr": 0.05 * factor} for each, factor in zip(p, values["factors"])]
            optimizer = getattr(torch.optim, name)(groups, lr=0.05, **arguments)
            schedule = torch.optim.lr_scheduler.StepLR(optimizer, 10, 0.5)
            for gradients in values["gradients"]:
                for each, gradient in zip(p, gradients):
                    each.grad = torch.tensor(gradient, dtype=torch.float64)
                optimizer.step()
                schedule.step()
            print(json.dumps([each.tolist() for each in p]))
            """;

    static Stream<Arguments> optimizers() {
        return Stream.of(
                Arguments.of(
                        new SgdSettings(0.9f, 0, false, 0.01f), "SGD", "{\"momentum\": 0.9, \"weight_decay\": 0.01}"),
                Arguments.of(new AdamSettings(0.9f, 0.999f, 1e-8f, 0.01f, false), "Adam", "{\"weight_decay\": 0.01}"),
                Arguments.of(new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.1f, false), "AdamW", "{\"weight_decay\": 0.1}"));
    }

    @ParameterizedTest
    @MethodSource("optimizers")
    void shouldFollowPyTorchsParameterGroups(OptimizerSettings settings, String name, String arguments) {
        Random random = new Random(3);
        double[] factors = {10, 1, 0.1};
        float[] parameters = new float[3 * SIZE];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = (float) random.nextGaussian();
        }
        float[] initial = parameters.clone();
        float[][] gradients = new float[STEPS][3 * SIZE];
        Optimizer optimizer = Optimizer.create(
                settings,
                new StepRanges(DecayRanges.all(3 * SIZE), RateRanges.of(new int[] {SIZE, SIZE, SIZE}, factors)));
        LearningRateSchedule schedule = new LearningRateSchedule.StepDecay(0.05f, 10, 0.5f);
        for (int step = 0; step < STEPS; step++) {
            for (int i = 0; i < 3 * SIZE; i++) {
                gradients[step][i] = (float) random.nextGaussian();
            }
            optimizer.step(parameters, gradients[step], schedule.at(step));
        }
        StringBuilder sent = new StringBuilder("{\"factors\": [10, 1, 0.1], \"parameters\": ")
                .append(groups(initial))
                .append(", \"gradients\": [");
        for (int step = 0; step < STEPS; step++) {
            sent.append(step == 0 ? "" : ", ").append(groups(gradients[step]));
        }

        JsonNode torch = JsonMapper.builder()
                .build()
                .readTree(Python.run(TORCH, name, arguments, sent.append("]}").toString()));

        for (int i = 0; i < parameters.length; i++) {
            double expected = torch.get(i / SIZE).get(i % SIZE).asDouble();
            assertThat((double) parameters[i])
                    .isCloseTo(expected, Offset.offset(2e-5 * Math.max(1, Math.abs(expected))));
        }
    }

    private static String groups(float[] values) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < values.length; i++) {
            text.append(i % SIZE == 0 ? (i == 0 ? "[" : "], [") : ", ").append(values[i]);
        }
        return text.append("]]").toString();
    }
}
