package org.fleetgrad.testing.patience;

import java.time.Duration;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets every await of Awaitility take a minute where the test says nothing else. Its own default of 10 s passes on a crowded machine
 * before the other thread had its turn. JUnit finds this class by its name in {@code META-INF/services}.
 */
public final class PatientAwaits implements TestExecutionListener {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** For JUnit. */
    public PatientAwaits() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        try {
            // By name: most modules do not have this library.
            Class.forName("org.awaitility.Awaitility")
                    .getMethod("setDefaultTimeout", Duration.class)
                    .invoke(null, PATIENCE);
        } catch (ClassNotFoundException noAwaits) {
            // Then nothing waits by it.
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException("Awaitility takes its default otherwise now", changed);
        }
    }
}
