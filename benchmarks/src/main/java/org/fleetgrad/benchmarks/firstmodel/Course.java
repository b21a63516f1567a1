package org.fleetgrad.benchmarks.firstmodel;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** When a process reached each moment, and what it took. Confined to one thread. */
final class Course {

    /** In the order of the values. */
    static final List<Moment> MOMENTS = List.of(Moment.values());

    /** The places of the values behind those of the moments. */
    static final int PROCESSOR = MOMENTS.size();

    static final int SAMPLES = PROCESSOR + 1;

    private final Map<Moment, Double> seconds = new EnumMap<>(Moment.class);
    private final ProcessHandle process;
    private final long begin;
    private double processorSeconds;
    private long samples;

    /** @param begin when it was started, of {@link System#nanoTime} */
    Course(ProcessHandle process, long begin) {
        this.process = process;
        this.begin = begin;
    }

    boolean has(Moment moment) {
        return seconds.containsKey(moment);
    }

    /** Records that a moment is reached now; a second time counts no more. */
    void reach(Moment moment) {
        if (seconds.putIfAbsent(moment, (System.nanoTime() - begin) / 1e9) == null && moment == Moment.GRADIENT) {
            processorSeconds = processorSeconds();
        }
    }

    /** Records the training samples until the target. */
    void samples(long count) {
        samples = count;
    }

    /** Returns the processor time of the process and of those that it has started. */
    private double processorSeconds() {
        return Stream.concat(Stream.of(process), process.descendants())
                        .flatMap(each -> each.info().totalCpuDuration().stream())
                        .mapToLong(Duration::toMillis)
                        .sum()
                / 1e3;
    }

    /** Returns the seconds of each moment, then the processor time until the first gradient and the samples until the target. */
    double[] values() {
        DoubleStream moments = MOMENTS.stream().mapToDouble(moment -> {
            Double reached = seconds.get(moment);
            if (reached == null) {
                throw new IllegalStateException("it ended before this was reached: " + moment.what());
            }
            return reached;
        });
        return DoubleStream.concat(moments, DoubleStream.of(processorSeconds, (double) samples))
                .toArray();
    }
}
