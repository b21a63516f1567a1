package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.simulation.kernel.Awaited;
import org.fleetgrad.simulation.kernel.Fiber;
import org.fleetgrad.simulation.kernel.Kernel;

/** Makes the client of a simulated worker: the real one, over a simulated clock and network, with fibers for its threads. */
public final class SimulatedClients {

    private static final Duration FOREVER = Duration.ofDays(1000);

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
            List<Awaited<Outcome<T>>> answers = new ArrayList<>();
            for (int i = begin; i < end; i++) {
                int index = i;
                Awaited<Outcome<T>> answer = new Awaited<>(kernel);
                answers.add(answer);
                Fiber.current().startChild("call", () -> answer.give(Outcome.of(() -> call.of(index))));
            }
            List<T> results = new ArrayList<>();
            IOException failure = null;
            for (Awaited<Outcome<T>> answer : answers) {
                Outcome<T> outcome = answer.await(FOREVER).orElseThrow();
                if (outcome.broken().isPresent()) {
                    throw outcome.broken().get();
                }
                failure = failure == null ? outcome.failure().orElse(null) : failure;
                outcome.result().ifPresent(results::add);
            }
            if (failure != null) {
                throw failure;
            }
            return results;
        }
    }

    private record Outcome<T>(Optional<T> result, Optional<IOException> failure, Optional<RuntimeException> broken) {

        private interface Task<T> {
            T make() throws IOException;
        }

        static <T> Outcome<T> of(Task<T> task) {
            try {
                return new Outcome<>(Optional.of(task.make()), Optional.empty(), Optional.empty());
            } catch (IOException failed) {
                return new Outcome<>(Optional.empty(), Optional.of(failed), Optional.empty());
            } catch (RuntimeException broken) {
                return new Outcome<>(Optional.empty(), Optional.empty(), Optional.of(broken));
            }
        }
    }
}
