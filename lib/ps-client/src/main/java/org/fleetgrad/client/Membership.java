package org.fleetgrad.client;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;

/** Registers a worker at all servers under one id, which the lead assigns. Thread-safe. */
final class Membership {

    private final List<PsClient> servers;
    private final ParallelCalls calls;
    private final Map<String, RegisterWorkerRequest> requests = new ConcurrentHashMap<>();

    Membership(List<PsClient> servers, ParallelCalls calls) {
        this.servers = servers;
        this.calls = calls;
    }

    RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException {
        RegisterWorkerReply first = servers.get(0).register(request);
        requests.put(first.id(), request.under(first.id()));
        List<Long> sequences = calls.each(1, servers.size(), i -> registerAt(i, first.id()));
        // If the lead lost its state, it must not reuse a sequence number that another server has answered.
        long highest = sequences.stream().reduce(first.sequence(), Math::max);
        return first.withSequence(highest);
    }

    /**
     * Registers at one server and returns its sequence number. If the id is registered already, it is this worker's
     * earlier registration.
     */
    long registerAt(int index, String worker) throws IOException {
        RegisterWorkerRequest request =
                requests.getOrDefault(worker, new RegisterWorkerRequest(worker, null, null, null));
        try {
            return servers.get(index).register(request).sequence();
        } catch (ProblemException taken) {
            if (!taken.problem().is(ProblemKind.WORKER_EXISTS)) {
                throw taken;
            }
            Long known = taken.problem().sequence();
            if (known == null) {
                throw new IOException(
                        "%s knows worker '%s' and does not say up to which gradient"
                                .formatted(servers.get(index).address(), worker),
                        taken);
            }
            return known;
        }
    }

    UnregisterWorkerReply unregister(List<PsClient> as, String worker) throws IOException {
        UnregisterWorkerReply first = as.get(0).unregister(worker);
        List<Boolean> unused = calls.each(1, as.size(), i -> unregister(as.get(i), worker));
        return first;
    }

    private static boolean unregister(PsClient server, String worker) throws IOException {
        try {
            UnregisterWorkerReply unused = server.unregister(worker);
            return true;
        } catch (ProblemException unknown) {
            if (!unknown.problem().is(ProblemKind.UNKNOWN_WORKER)) {
                throw unknown;
            }
            return false;
        }
    }
}
