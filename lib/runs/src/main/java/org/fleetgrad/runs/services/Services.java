package org.fleetgrad.runs.services;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.ProgramProcess;
import org.fleetgrad.runs.start.StartWait;

/**
 * The programs of a run, and how to reach them. Confined to the thread that watches the run.
 *
 * @param programs  what was started
 * @param processes the parameter servers
 * @param replicas  the inference APIs, the one that evaluates first
 * @param servers   their addresses
 * @param inference the inference API's address
 * @param token     for the inference API, if the run has keys
 * @param client    calls the parameter servers
 * @param workers   the invokers, one for each worker
 */
public record Services(
        ProcessGroup programs,
        ServerGroup processes,
        List<InferenceProcess> replicas,
        ServerAddresses servers,
        URI inference,
        Optional<ServiceToken> token,
        ParameterServers client,
        List<? extends Invoker> workers) {

    private static final int MOST_ATTEMPTS = 5;

    /** A call of the lead, or of all parameter servers. */
    @FunctionalInterface
    public interface Call<S, T> {
        T of(S servers) throws IOException;
    }

    /**
     * Starts the parameter servers, the inference API and the workers of the beginning; returns when the services listen. If
     * another program takes one of their ports in the meantime, all of them are restarted on other ports.
     *
     * @param teller receives one line for each port that was taken and each server that died
     * @throws RunFailedException if a program ends for another reason
     */
    public static Services start(ProcessGroup programs, ServicePlan plan, Consumer<String> teller)
            throws IOException, RunFailedException, InterruptedException {
        String address = plan.place().serverAddress();
        return start(
                programs, plan, teller, (servers, attempt) -> ServicePorts.documentedFirst(address, servers, attempt));
    }

    static Services start(ProcessGroup programs, ServicePlan plan, Consumer<String> teller, ServicePorts.Choice choice)
            throws IOException, RunFailedException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ServicePorts ports = choice.choose(plan.variables().size(), attempt);
            Launch launch = Launch.begin(programs, plan, ports, teller);
            Optional<InetSocketAddress> taken = launch.awaitListening();
            if (taken.isEmpty()) {
                return launch.services();
            }
            launch.end();
            if (attempt == MOST_ATTEMPTS) {
                throw RunFailedException.remote("other programs took the services' ports %d times, at last %s"
                        .formatted(attempt, text(taken.get())));
            }
            teller.accept("another program took %s in the meantime: starting the services again on other ports"
                    .formatted(text(taken.get())));
        }
    }

    static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return "%s:%d".formatted(host, address.getPort());
    }

    /** Waits until the parameter server responds and the first {@code size} workers are ready. */
    public void awaitUp(int size) throws IOException, RunFailedException, InterruptedException {
        for (int i = 0; i < processes.processes().size(); i++) {
            await(processes.processes().get(i).process(), client.all().get(i));
        }
        processes.up();
        for (Invoker worker : workers.subList(0, size)) {
            worker.await();
        }
    }

    private void await(ProgramProcess program, PsClient server)
            throws IOException, RunFailedException, InterruptedException {
        StartWait wait = programs.watch().begin(program, "answer");
        while (true) {
            requireAlive();
            try {
                VersionReply unused = server.version();
                return;
            } catch (IOException notYet) {
                wait.pause();
            }
        }
    }

    /** Calls the parameter server, of several the lead; repeats the call while a server is being restarted. */
    public <T> T ask(Call<PsClient, T> call) throws IOException, RunFailedException, InterruptedException {
        return askAll(all -> call.of(all.lead()));
    }

    /** Calls all parameter servers; repeats the call while one of them is being restarted. */
    public <T> T askAll(Call<ParameterServers, T> call) throws IOException, RunFailedException, InterruptedException {
        ServerReturn comesBack = new ServerReturn(processes, programs.watch());
        while (true) {
            requireAlive();
            try {
                return call.of(client);
            } catch (IOException away) {
                if (!processes.canComeBack()) {
                    throw away;
                }
                comesBack.pause(away);
            }
        }
    }

    /**
     * Restarts a parameter server that died and can continue, and an inference API that died; fails the run if a program has
     * ended for good.
     */
    public void requireAlive() throws IOException, RunFailedException {
        // Checked before the restarts: a program that dies in between is handled by the next call.
        Optional<ProgramProcess> ended = programs.anyEnded();
        processes.revive();
        for (InferenceProcess replica : replicas) {
            replica.revive();
        }
        if (ended.filter(programs::has).isPresent()) {
            throw RunFailedException.remote(ended.get().describeEnd());
        }
    }

    /** Returns how often a parameter server was restarted. */
    public int restarts() {
        return processes.restarts();
    }
}
