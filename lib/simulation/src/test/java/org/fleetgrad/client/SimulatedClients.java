package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.FiberFuture;
import org.fleetgrad.simulation.kernel.Kernel;

/** Makes the client of a simulated worker: the real one, over a simulated clock and network, with fibers for its threads. */
public final class SimulatedClients {

    private SimulatedClients() {}

    /**
     * Makes a client.
     *
     * @param transports of its servers, the lead's first
     */
    public static ParameterServers of(List<? extends Transport> transports, Clock clock, Kernel kernel) {
        List<PsClient> servers = IntStream.range(0, transports.size())
                .mapToObj(i -> client(i, transports.get(i), clock))
                .toList();
        return servers.size() == 1
                ? servers.get(0)
                : new PartitionedServers(servers, new CallFibers(kernel), new Waits(kernel::nanos, Fiber::sleep));
    }

    /** Settles the gradients that dead workers left, as any worker does now and then. */
    public static void settle(ParameterServers servers, Kernel kernel) throws IOException {
        PartPush parts = new PartPush(
                servers.all(),
                new Membership(servers.all(), new CallFibers(kernel)),
                new Waits(kernel::nanos, Fiber::sleep));
        for (int i = 1; i < servers.all().size(); i++) {
            parts.settle(i, "");
        }
    }

    private static PsClient client(int index, Transport transport, Clock clock) {
        URI address = URI.create("http://server-" + index);
        return new PsClient(address, new Exchange(address, transport, Duration.ofSeconds(60), clock, Fiber::sleep));
    }

    /** Calls several servers in fibers of the caller's process, which end with it. */
    private record CallFibers(Kernel kernel) implements ParallelCalls {

        @Override
        public <T> List<T> each(int begin, int end, Call<T> call) throws IOException {
            List<FiberFuture<T>> answers = IntStream.range(begin, end)
                    .mapToObj(i -> FiberFuture.start(kernel, "call", () -> call.of(i)))
                    .toList();
            List<T> results = new ArrayList<>();
            IOException failure = null;
            for (FiberFuture<T> answer : answers) {
                try {
                    results.add(answer.get());
                } catch (ExecutionException failed) {
                    if (!(failed.getCause() instanceof IOException away)) {
                        throw failed.getCause() instanceof RuntimeException broken
                                ? broken
                                : new IllegalStateException(failed.getCause());
                    }
                    failure = failure == null ? away : failure;
                }
            }
            if (failure != null) {
                throw failure;
            }
            return results;
        }
    }
}
