package org.fleetgrad.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class GeneratedBeansTest {

    private final StandardEnvironment environment = new StandardEnvironment();

    GeneratedBeansTest() {
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        ConfigurationPropertySources.attach(environment);
    }

    private void state(String source, String setting) {
        environment.getPropertySources().addFirst(new MapPropertySource(source, Map.of(setting, "1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.server.port",
                "management.endpoint.health.show-details",
                "spring.threads.virtual.enabled",
                "spring.profiles.active",
                "spring.ssl.bundle.pem.web.keystore.certificate",
                "server.servlet.encoding.enabled",
                "server.forward-headers-strategy"
            })
    void shouldFindBeansByConditionsWhenOneMayReadASetting(String setting) {
        state("commandLineArgs", setting);

        assertThat(GeneratedBeans.decidesNoCondition(environment)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ps.mode",
                "inference.test-shard",
                "server.port",
                "server.address",
                "server.ssl.certificate",
                "server.jetty.threads.max",
                "logging.level.root",
                "springs.of.water"
            })
    void shouldTakeGeneratedBeansWithSettingsThatNoConditionReads(String setting) {
        state("commandLineArgs", setting);

        assertThat(GeneratedBeans.decidesNoCondition(environment)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "MANAGEMENT_SERVER_PORT, false",
        "SPRING_APPLICATION_JSON, false",
        "SERVER_PORT, true",
        "SERVER_SSL_KEYSTORE, true",
        "PS_MODE, true"
    })
    void shouldReadTheNamesOfEnvironmentVariables(String name, boolean isFree) {
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "1")));

        assertThat(GeneratedBeans.decidesNoCondition(environment)).isEqualTo(isFree);
    }

    @Test
    void shouldPassOverTheProgramsOwnSettings() {
        state(
                "Config resource 'class path resource [application.yaml]' via location 'optional:classpath:/'",
                "spring.a");
        state("applicationInfo", "spring.application.pid");
        assertThat(GeneratedBeans.decidesNoCondition(environment)).isTrue();

        state("Config resource 'file [config/application.yaml]' via location 'optional:file:./config/'", "spring.a");
        assertThat(GeneratedBeans.decidesNoCondition(environment)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"17, 17, true", "25, 17, false", "17, 25, false", "25, 21, true", "17, 0, true", "25, 0, false"})
    void shouldTakeThemOnlyIfVirtualThreadsAreDecidedAlike(int running, int built, boolean isTaken) {
        assertThat(GeneratedBeans.fits(running, built)).isEqualTo(isTaken);
    }
}
