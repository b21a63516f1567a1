package org.fleetgrad.benchmarks.kernels;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One run of JMH: one fork under the server's garbage collector, with warm-up. */
final class JmhRound {

    private static final TimeValue ITERATION = new TimeValue(300, TimeUnit.MILLISECONDS);
    private static final int WARM_UPS = 3;
    private static final int ITERATIONS = 3;

    private JmhRound() {}

    /** Returns the microseconds of a kernel. */
    static double micros(Kernel kernel) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include("\\." + OptimizerKernels.class.getSimpleName() + "\\." + kernel.method() + "$")
                        .forks(1)
                        .jvmArgs("-Xmx1g", "-XX:+UseSerialGC")
                        .warmupIterations(WARM_UPS)
                        .warmupTime(ITERATION)
                        .measurementIterations(ITERATIONS)
                        .measurementTime(ITERATION)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getStatistics()
                .getPercentile(50);
    }
}
