package org.fleetgrad.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.policy.WantedVersion;
import org.fleetgrad.spring.FleetgradAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application whose settings name a server that is not there. */
@UntrainedModel(network = "mlp?classes=3&hidden=8&input=1x2x2", seed = 4)
@SpringBootTest(classes = UntrainedModelTest.Application.class, properties = "fleetgrad.server=http://127.0.0.1:1")
class UntrainedModelTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(FleetgradAutoConfiguration.class)
    static class Application {}

    private final LiveModel model;
    private final ApplicationContext context;

    UntrainedModelTest(@Autowired LiveModel model, @Autowired ApplicationContext context) {
        this.model = model;
        this.context = context;
    }

    @Test
    void shouldAnswerWithTheNetworkOfTheAnnotation() {
        PredictionResult answer = (PredictionResult)
                model.predict(WantedVersion.BY_POLICY, new Images(new ImageShape(1, 2, 2), new float[4]));

        assertThat(answer.version()).isEqualTo(new ParameterVersion("untrained", 1));
        assertThat(answer.scores().get(0).probabilities()).hasSize(3);
    }

    @Test
    void shouldFollowNoServer() {
        assertThat(context.containsBean("fleetgradFollowing")).isFalse();
    }
}
