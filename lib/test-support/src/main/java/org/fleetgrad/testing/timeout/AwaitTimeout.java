package org.fleetgrad.testing.timeout;

import java.time.Duration;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Sets Awaitility's default timeout to one minute. Its own default of 10 s can pass on a loaded machine before the other thread
 * is scheduled. JUnit finds this class by its name in {@code META-INF/services}.
 */
public final class AwaitTimeout implements TestExecutionListener {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        try {
            // By name: most modules do not have this library.
            Class.forName("org.awaitility.Awaitility")
                    .getMethod("setDefaultTimeout", Duration.class)
                    .invoke(null, TIMEOUT);
        } catch (ClassNotFoundException noAwaits) {
            // Then no test uses it.
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException("Awaitility takes its default otherwise now", changed);
        }
    }
}
