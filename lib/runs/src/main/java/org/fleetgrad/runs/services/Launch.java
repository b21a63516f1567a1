package org.fleetgrad.runs.services;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.place.RunKeys;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.ProgramProcess;
import org.fleetgrad.runs.start.StartWait;

/**
 * One attempt to start a run's services on chosen ports. All programs start concurrently, so each gets the others' ports
 * before any of them is bound: the attempt fails if another program takes such a port first.
 *
 * @param services  what was started
 * @param listeners the programs that are to listen, each on its address
 */
record Launch(Services services, Map<ProgramProcess, InetSocketAddress> listeners) {

    /** Starts the programs; returns before they listen. */
    static Launch begin(ProcessGroup programs, ServicePlan plan, ServicePorts ports, Consumer<String> teller)
            throws IOException {
        URI inferenceAt = URI.create("http://%s:%d".formatted(ServicePlan.LOOPBACK, ports.inference()));
        List<InetSocketAddress> addresses = new ArrayList<>();
        List<Map<String, String>> environments = new ArrayList<>();
        for (int port : ports.servers()) {
            environments.add(plan.ofServer(addresses.size(), port, inferenceAt.resolve("/")));
            addresses.add(new InetSocketAddress(plan.place().serverAddress(), port));
        }
        ServerAddresses servers = new ServerAddresses(ports.servers().stream()
                .map(port -> URI.create("http://%s:%d".formatted(plan.place().serverAddress(), port)))
                .toList());
        ServerGroup processes = ServerGroup.start(
                programs, environments, plan.settings().server().isKeeping(), teller);
        List<? extends Invoker> workers = plan.place().workers(plan.settings(), servers);
        for (Invoker worker : workers.subList(0, plan.settings().workersAtFirst())) {
            worker.start();
        }
        Map<ProgramProcess, InetSocketAddress> listeners = new LinkedHashMap<>();
        for (int i = 0; i < addresses.size(); i++) {
            listeners.put(processes.processes().get(i).process(), addresses.get(i));
        }
        InetSocketAddress inference = new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.inference());
        List<InferenceProcess> replicas = new ArrayList<>();
        for (int i = 0; i < plan.settings().serving().replicas(); i++) {
            InferenceProcess replica =
                    new InferenceProcess(programs, i, plan.ofInference(i, ports.inference(), servers), teller);
            replicas.add(replica);
            listeners.put(replica.process(), inference);
        }
        Optional<RunKeys> keys = plan.place().keys();
        Services services = new Services(
                programs,
                processes,
                replicas,
                servers,
                inferenceAt,
                keys.map(drawn -> new ServiceToken(inferenceAt, drawn.reader(), ClientOptions.DEFAULT)),
                ParameterServers.of(servers.uris().stream()
                        .map(address -> client(address, keys))
                        .toList()),
                workers);
        return new Launch(services, listeners);
    }

    private static PsClient client(URI address, Optional<RunKeys> keys) {
        PsClient client = new PsClient(address, ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        return keys.map(drawn -> client.withCredentials(drawn.operator())).orElse(client);
    }

    /**
     * Waits until every program reports that it listens on its port.
     *
     * @return the address that another program took first; empty if all listen
     * @throws RunFailedException if a program ends for another reason
     */
    Optional<InetSocketAddress> awaitListening() throws IOException, RunFailedException, InterruptedException {
        for (Map.Entry<ProgramProcess, InetSocketAddress> listener : listeners.entrySet()) {
            StartWait wait = services.programs()
                    .watch()
                    .begin(listener.getKey(), "listen on %s".formatted(Services.text(listener.getValue())));
            while (listener.getKey().port().isEmpty()) {
                Optional<ProgramProcess> ended = services.programs().anyEnded();
                if (ended.isPresent()) {
                    return takenFrom(ended.get());
                }
                if (!listener.getKey().isAlive()) {
                    // A replica, without which a running run would continue.
                    return takenFrom(listener.getKey());
                }
                wait.pause();
            }
        }
        return Optional.empty();
    }

    private Optional<InetSocketAddress> takenFrom(ProgramProcess ended) throws IOException, RunFailedException {
        InetSocketAddress address = listeners.get(ended);
        if (address != null && ended.lostItsPort(address)) {
            return Optional.of(address);
        }
        throw RunFailedException.remote(ended.describeEnd());
    }

    /** Ends every program of the attempt. */
    void end() throws IOException, InterruptedException {
        listeners.keySet().forEach(services.programs()::end);
        for (Invoker worker : services.workers()) {
            worker.release();
        }
    }
}
