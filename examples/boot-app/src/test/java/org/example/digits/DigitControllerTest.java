package org.example.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.spring.test.UntrainedModel;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.web.server.ResponseStatusException;

/** Without a parameter server: the model has its initial parameters. */
@UntrainedModel
@SpringBootTest
class DigitControllerTest {

    private final DigitController controller;

    DigitControllerTest(@Autowired LiveModel model) {
        controller = new DigitController(model);
    }

    @Test
    void shouldAnswerWithADigitAndTheVersion() {
        DigitController.Digit answer = controller.digit(new float[784]);

        assertThat(answer.digit()).isBetween(0, 9);
        assertThat(answer.probability()).isBetween(0.1f, 1f);
        assertThat(answer.version()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAnImageOfAnotherSize() {
        assertThatThrownBy(() -> controller.digit(new float[10])).isInstanceOf(ResponseStatusException.class);
    }
}
