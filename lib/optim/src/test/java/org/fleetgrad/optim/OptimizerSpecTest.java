package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.testing.SpecPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptimizerSpecTest {

    @Test
    void shouldHavePyTorchsDefaults() {
        assertThat(OptimizerSpec.parse("sgd").settings()).isEqualTo(new SgdSettings(0, 0, false, 0));
        assertThat(OptimizerSpec.parse("Adam").settings()).isEqualTo(new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false));
        assertThat(OptimizerSpec.parse("ADAMW").settings())
                .isEqualTo(new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.01f, false));
        assertThat(OptimizerSpec.parse("sgd").usualLearningRate()).isEqualTo(0.01);
        assertThat(OptimizerSpec.parse("adamw").usualLearningRate()).isEqualTo(0.001);
    }

    @Test
    void shouldReadEveryArgument() {
        assertThat(OptimizerSpec.parse("sgd:momentum=0.9,dampening=-0.5,weight-decay=5e-4,matrices-only=true"))
                .isEqualTo(new OptimizerSpec(new SgdSettings(0.9f, -0.5f, false, 5e-4f), true));
        assertThat(OptimizerSpec.parse("adam:beta1=0.8,beta2=0.99,epsilon=1e-6,weight-decay=0.1,amsgrad=true"))
                .isEqualTo(new OptimizerSpec(new AdamSettings(0.8f, 0.99f, 1e-6f, 0.1f, true), false));
    }

    @Test
    void shouldTakeArgumentsBesideTheTextAndTheUsualOnesOfSgd() {
        assertThat(OptimizerSpec.parse("sgd", Map.of("nesterov", "true"), 0.9f))
                .hasToString("sgd:momentum=0.9,nesterov=true");
        assertThat(OptimizerSpec.parse("sgd:momentum=0", Map.of(), 0.9f)).hasToString("sgd");
        assertThat(OptimizerSpec.parse("adam", Map.of(), 0.9f)).hasToString("adam");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptimizerSpec.parse("sgd:momentum=0.5", Map.of("momentum", "0.8"), 0.9f))
                .withMessage("the optimizer 'sgd:momentum=0.5' has momentum, and it is given a second time: 0.8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lion|there is no optimizer 'lion': write sgd:momentum=0.9,nesterov=true, adam:beta2=0.99 or adamw:weight-decay=0.05",
                "|there is no optimizer ''",
                "adam:momentum=0.9|the optimizer 'adam' has no momentum: write sgd:momentum=0.9",
                "sgd:momentum=1e300|momentum must be 0 or more and finite; it is Infinity",
                "sgd:momentum=-1|momentum must be 0 or more and finite; it is -1.0",
                "sgd:momentum=much|the optimizer 'sgd:momentum=much' is malformed",
                "sgd:momentum=0.9,0.8|momentum is one number; there are [0.9, 0.8]",
                "sgd:nesterov=true|Nesterov momentum needs a momentum of more than 0",
                "sgd:nesterov=yes|nesterov is true or false; it is 'yes'",
                "sgd:matrices-only=true|the optimizer 'sgd:matrices-only=true' needs a weight decay above 0 for matrices-only",
                "adam:beta1=1|beta1 must be 0 or more and less than 1; it is 1.0",
                "sgd:|the optimizer 'sgd:' is malformed",
                "sgd:momentum=0.9,momentum=0.8|the optimizer 'sgd:momentum=0.9,momentum=0.8' is malformed"
            })
    void shouldSayWhatToWriteInstead(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OptimizerSpec.parse(text == null ? "" : text))
                .withMessageContaining(message);
    }

    @Test
    void shouldBeDocumentedWordForWord() throws Exception {
        SpecPage.requirePart("optimizers", OptimizerSpec.documentation());
        SpecPage.requirePart("staleness rules", StalenessRule.documentation());
        SpecPage.requirePart("modes", TrainingMode.documentation());
        SpecPage.requirePart("aggregations", Aggregation.documentation());
    }
}
