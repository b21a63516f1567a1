package org.fleetgrad.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.following.ParameterServer;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.NetworkClassifiers;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * If {@code fleetgrad.server} is set, a bean {@link LiveModel} that follows this parameter server; with Actuator its health,
 * {@code fleetgrad}, and with Micrometer its meters. An application that has a bean of this type gets none of them.
 */
@AutoConfiguration
@Conditional(OnServerCondition.class)
@ConditionalOnMissingBean(LiveModel.class)
@EnableConfigurationProperties({FleetgradProperties.class, FleetgradAccess.class})
public class FleetgradAutoConfiguration {

    @Bean
    LiveModel liveModel(FleetgradProperties properties, HeldOutScores fleetgradScores) {
        ModelDescription stated =
                new ModelDescription(new Normalization(properties.mean(), properties.std()), List.of());
        return new LiveModel(
                new NetworkClassifiers(Device.parse(properties.device())),
                network -> stated,
                properties.predictionMemory().toBytes(),
                properties.heldVersions(),
                properties.policy(),
                fleetgradScores);
    }

    @Bean
    HeldOutScores fleetgradScores() {
        return new HeldOutScores();
    }

    @Bean
    ModelFollowing fleetgradFollowing(
            LiveModel model, HeldOutScores scores, FleetgradProperties properties, FleetgradAccess access) {
        ParameterServer server = new ParameterServer(new ServerAddresses(properties.server()), access.read());
        return new ModelFollowing(server, model, scores, properties.followInterval(), Clock.systemUTC());
    }

    /** Only with Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Observed {

        @Bean
        @ConditionalOnEnabledHealthIndicator("fleetgrad")
        HealthIndicator fleetgradHealthIndicator(
                LiveModel model, ModelFollowing following, FleetgradProperties properties) {
            return new ModelHealth(model, following, properties.unreachableAfter());
        }
    }

    /** Only with Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Measured {

        @Bean
        MeterBinder fleetgradMeters(LiveModel model, ModelFollowing following) {
            return new ModelMeters(model, following);
        }
    }
}
