package org.fleetgrad.runs.services;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.ProgramProcess;

/**
 * The parameter servers of a run: one, or several with a partition each. Confined to the thread that watches the run.
 *
 * @param processes the lead first
 */
record ServerGroup(List<ServerProcess> processes) {

    /**
     * Starts the servers; returns before they are ready.
     *
     * @param environments each one's settings
     * @param isKept       whether new processes can continue from what these leave on disk
     * @param teller       receives one line for each death
     */
    static ServerGroup start(
            ProcessGroup programs, List<Map<String, String>> environments, boolean isKept, Consumer<String> teller)
            throws IOException {
        List<ServerProcess> processes = new ArrayList<>();
        for (Map<String, String> environment : environments) {
            String name = environments.size() == 1
                    ? ServerProcess.NAME
                    : "%s-%d".formatted(ServerProcess.NAME, processes.size());
            processes.add(new ServerProcess(programs, name, environment, isKept, teller));
        }
        return new ServerGroup(processes);
    }

    void up() {
        processes.forEach(ServerProcess::up);
    }

    void revive() throws IOException {
        for (ServerProcess process : processes) {
            process.revive();
        }
    }

    boolean canComeBack() {
        return processes.stream().allMatch(ServerProcess::canComeBack);
    }

    /** Returns a started server that does not listen yet; empty if all listen. */
    Optional<ProgramProcess> starting() throws IOException {
        for (ServerProcess server : processes) {
            if (server.process().port().isEmpty()) {
                return Optional.of(server.process());
            }
        }
        return Optional.empty();
    }

    int restarts() {
        return processes.stream().mapToInt(ServerProcess::restarts).sum();
    }
}
