package org.fleetgrad.benchmarks.transport;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.fleetgrad.benchmarks.requests.GradientPushes;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.Networks;

/**
 * One carrier in its own process, so that its processor time includes all of its threads. Repeats: reads a number of
 * milliseconds, pushes for that time, prints the median latency and the processor time of a request in microseconds.
 */
final class CarrierProbe {

    private static final int MOST = 1 << 20;

    private CarrierProbe() {}

    /** Arguments: the {@link CarrierKind}, the server's address. */
    public static void main(String[] arguments) throws Exception {
        URI server = URI.create(arguments[1]);
        GradientPushes pushes = new GradientPushes(
                new PsClient(server, ClientOptions.DEFAULT),
                Networks.usual("lenet5").spec().layout(),
                true);
        OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long[] nanos = new long[MOST];
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Carrier carrier = CarrierKind.valueOf(arguments[0]).open(server.resolve(pushes.path()), pushes.data())) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                long processor = machine.getProcessCpuTime();
                int done = push(carrier, pushes, nanos, Long.parseLong(order) * 1_000_000);
                double each = (double) (machine.getProcessCpuTime() - processor) / done;
                Arrays.sort(nanos, 0, done);
                System.out.printf(Locale.ROOT, "%.1f %.1f%n", nanos[done / 2] / 1e3, each / 1e3);
            }
        }
    }

    private static int push(Carrier carrier, GradientPushes pushes, long[] nanos, long forNanos) throws IOException {
        int done = 0;
        long begin = System.nanoTime();
        long end = begin;
        while (done < MOST && (done == 0 || end - begin < forNanos)) {
            byte[] header = pushes.nextHeader();
            long sent = System.nanoTime();
            int length = carrier.push(header);
            end = System.nanoTime();
            if (length < pushes.data().length) {
                throw new IOException("the answer has %d bytes; it is not a parameter set".formatted(length));
            }
            nanos[done++] = end - sent;
        }
        return done;
    }
}
