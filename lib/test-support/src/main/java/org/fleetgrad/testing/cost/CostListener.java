package org.fleetgrad.testing.cost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Adds a line {@code seconds<TAB>class} of processor time for each test class to {@code target/class-costs.tsv} of the module.
 * {@code .ci/costs} prints the most expensive of all modules. JUnit finds this class by its name in {@code META-INF/services}.
 */
public final class CostListener implements TestExecutionListener {

    private static final Path FILE = Path.of("target", "class-costs.tsv");

    private final ClassCosts costs = new ClassCosts();

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        className(test).ifPresent(name -> costs.begin(name, ProcessorTime.soFar()));
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        className(test).ifPresent(name -> costs.end(name, ProcessorTime.soFar()));
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        if (costs.costs().isEmpty()) {
            return;
        }
        StringBuilder lines = new StringBuilder();
        for (Map.Entry<String, Duration> cost : costs.costs().entrySet()) {
            double seconds = cost.getValue().toMillis() / 1000.0;
            lines.append(String.format(Locale.ROOT, "%.2f\t%s%n", seconds, cost.getKey()));
        }
        try {
            Files.createDirectories(FILE.toAbsolutePath().getParent());
            Files.writeString(FILE, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException unwritable) {
            throw new UncheckedIOException("cannot write " + FILE, unwritable);
        }
    }

    /** Returns the outermost class: it includes the cost of nested ones. */
    private static Optional<String> className(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName())
                .filter(name -> !name.contains("$"));
    }
}
