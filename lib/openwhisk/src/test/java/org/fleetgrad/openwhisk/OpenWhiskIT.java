package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.openwhisk.ActionDefinition.ActionLimits;
import org.fleetgrad.openwhisk.ActionDefinition.ActionParameter;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.ActivationRunner.Timeouts;
import org.fleetgrad.openwhisk.pacing.RunOutcome;
import org.fleetgrad.openwhisk.pacing.Throttle;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs against a real controller, if {@code OPENWHISK_APIHOST} and {@code OPENWHISK_AUTH} name one, whose certificate
 * must be trusted. Its invokers must be able to start {@code OPENWHISK_TEST_IMAGE}, by default OpenWhisk's skeleton. Any
 * image works that responds to a run without parameters with an application error, as Fleetgrad's worker does.
 */
@Timeout(600)
@Tag("whole")
class OpenWhiskIT {

    private static final String IMAGE =
            System.getenv().getOrDefault("OPENWHISK_TEST_IMAGE", "openwhisk/dockerskeleton:1.14.0");
    private static final ActionLimits LIMITS = new ActionLimits(Duration.ofSeconds(60), 256, 1);

    private final String name = "fleetgrad-test-" + UUID.randomUUID();
    private OpenWhiskClient client;

    @BeforeEach
    void connect() {
        Map<String, String> environment = System.getenv();
        Requirement.OPENWHISK.check(
                environment.containsKey(OpenWhiskEnvironment.APIHOST),
                OpenWhiskEnvironment.APIHOST + " and " + OpenWhiskEnvironment.AUTH + " name no controller");
        client = OpenWhiskEnvironment.read(environment).client();
    }

    @AfterEach
    void clean() throws Exception {
        if (client != null) {
            client.deleteAction(name);
        }
    }

    private ActionDefinition definition() {
        return new ActionDefinition(
                name,
                IMAGE,
                Optional.empty(),
                LIMITS,
                List.of(new ActionParameter("SOME_VAR", "v", true)),
                Map.of("test", true));
    }

    @Test
    void shouldStoreReplaceReadAndDeleteAnAction() throws Exception {
        assertThat(client.getAction(name)).isEmpty();
        assertThat(client.putAction(definition())).isInstanceOfSatisfying(ActionPutResult.Stored.class, stored -> {
            assertThat(stored.action().version()).isEqualTo("0.0.1");
            assertThat(stored.action().limits()).isEqualTo(LIMITS);
        });
        assertThat(client.putAction(definition()))
                .isInstanceOfSatisfying(
                        ActionPutResult.Stored.class,
                        stored -> assertThat(stored.action().version()).isEqualTo("0.0.2"));
        assertThat(client.getAction(name)).hasValueSatisfying(action -> {
            assertThat(action.kind()).isEqualTo("blackbox");
            assertThat(action.image()).contains(IMAGE);
        });
        assertThat(client.deleteAction(name)).isTrue();
        assertThat(client.deleteAction(name)).isFalse();
    }

    @Test
    void shouldRunAnActivationToItsEnd() throws Exception {
        client.putAction(definition());
        NamespaceLimits limits = client.limits();
        assertThat(limits.isStoringActivations()).isTrue();
        ActivationRunner runner = new ActivationRunner(
                client,
                new Throttle(limits, Clock.systemUTC(), Sleeper.THREAD, new Random(), line -> {}),
                Clock.systemUTC(),
                Sleeper.THREAD,
                new Random());

        RunOutcome outcome = runner.run(
                name,
                Map.of(),
                Timeouts.of(Duration.ofMinutes(2), Duration.ofMinutes(2), LIMITS.timeout()),
                id -> assertThat(id).isNotEmpty(),
                () -> false);

        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
            assertThat(ended.end()).isInstanceOf(ActivationEnd.ApplicationError.class);
            assertThat(ended.record().isCold()).isTrue();
            assertThat(ended.record().timeLimit()).contains(LIMITS.timeout());
            assertThat(ended.record().waitTime()).isPresent();
            assertThat(ended.record().duration()).isPositive();
        });
        String id = ((RunOutcome.Ended) outcome).record().activationId();
        assertThat(client.logs(id)).isPresent();
    }

    @Test
    void shouldBeRefusedAsTheReferenceSays() throws Exception {
        assertThat(client.invoke(name, Map.of()))
                .isInstanceOfSatisfying(
                        Invocation.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404));
        client.putAction(definition());
        assertThat(client.invoke(name, Map.of("a", "x".repeat(1_200_000))))
                .isInstanceOfSatisfying(
                        Invocation.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(413));
        ActionLimits endless = new ActionLimits(Duration.ofDays(1), 256, 1);
        assertThat(client.putAction(ActionDefinition.of(name, IMAGE, endless)))
                .isInstanceOfSatisfying(
                        ActionPutResult.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(400));
        assertThat(client.activation("0123456789abcdef0123456789abcdef")).isEmpty();
    }
}
