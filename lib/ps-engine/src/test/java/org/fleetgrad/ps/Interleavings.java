package org.fleetgrad.ps;

import java.util.List;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/** How interleavings of a class's operations are searched: by model checking, in seconds; longer with {@code -Pwhole}. */
public final class Interleavings {

    private static final int SCENARIOS = 15;
    private static final int TIMES_IN_WHOLE = Boolean.getBoolean("fleetgrad.whole") ? 4 : 1;

    /**
     * Their calls are one step each: they are the JDK's, or of no memory that threads share. So the search is spent on the order of these
     * steps.
     */
    private static final Set<String> STEPS = Set.of(
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.TreeMap",
            "java.util.ArrayList",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.ArrayBlockingQueue");

    private static final List<String> PACKAGES_OF_STEPS =
            List.of("java.nio.", "java.time.", "java.util.stream.", "org.fleetgrad.protocol.", "org.fleetgrad.optim.");

    private Interleavings() {}

    private static boolean isStep(String type) {
        return STEPS.contains(type) || PACKAGES_OF_STEPS.stream().anyMatch(type::startsWith);
    }

    /**
     * Requires that every result is one of the same operations one after the other: that the class is linearizable.
     *
     * @param schedules of each scenario that are tried
     */
    public static void check(Class<?> operations, int schedules) {
        options(schedules).check(operations);
    }

    /** Requires what the class validates at the end of a scenario, and that no operation hangs; any results are right. */
    public static void checkInvariants(Class<?> operations, int schedules) {
        // Later operations could repair what is validated.
        options(schedules).actorsAfter(0).verifier(EpsilonVerifier.class).check(operations);
    }

    private static ModelCheckingOptions options(int schedules) {
        // The JDK's classes of numbers in texts cannot be initialized while Lincheck chooses which thread runs.
        String unused = "%d".formatted(1);
        return new ModelCheckingOptions()
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Interleavings::isStep)
                        .allMethods()
                        .treatAsAtomic())
                .iterations(SCENARIOS * TIMES_IN_WHOLE)
                .invocationsPerIteration(schedules)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(2)
                .minimizeFailedScenario(true);
    }
}
