package org.fleetgrad.benchmarks.footprint;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.benchmarks.process.Container;
import org.fleetgrad.benchmarks.process.DirectInvocation;

/**
 * The life of one container with two activations.
 *
 * @param coldMillis from its start to the first accepted gradient
 * @param warmMillis from the second activation's start to its first accepted gradient
 * @param mebibytes  its largest memory during the second activation
 */
record ContainerLife(double coldMillis, double warmMillis, double mebibytes) {

    private static final int LOOK_MS = 2;

    /**
     * Lives one.
     *
     * @param init the body of {@code /init}
     */
    static ContainerLife measure(String image, String init, ContainerSite site)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        try (Container container = Container.start(image)) {
            Map<String, Object> value = site.value(container.host());
            DirectInvocation.init(container, init);
            long before = site.version();
            CompletableFuture<Void> first = DirectInvocation.start(container.address(), value);
            double cold = millisToGradient(begin, site, before, first);
            first.join();
            before = site.version();
            begin = System.nanoTime();
            CompletableFuture<Void> second = DirectInvocation.start(container.address(), value);
            double warm = millisToGradient(begin, site, before, second);
            double mebibytes = 0;
            while (!second.isDone()) {
                mebibytes = Math.max(mebibytes, container.mebibytes());
            }
            second.join();
            return new ContainerLife(cold, warm, mebibytes);
        }
    }

    private static double millisToGradient(long begin, ContainerSite site, long before, CompletableFuture<Void> run)
            throws IOException, InterruptedException {
        while (site.version() == before) {
            if (run.isCompletedExceptionally()) {
                run.join();
            }
            Thread.sleep(LOOK_MS);
        }
        return (System.nanoTime() - begin) / 1e6;
    }
}
