package org.fleetgrad.runs.services;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.runs.process.Ports;

/**
 * The ports that a run's services are to listen on.
 *
 * @param servers   of the parameter servers, the lead first
 * @param inference of the inference API
 */
record ServicePorts(List<Integer> servers, int inference) {

    private static final int LEAD = 29500;
    private static final int INFERENCE = 29600;

    /** Chooses ports for an attempt, from 1. A port that it returns was free, and may be taken when a program binds it. */
    @FunctionalInterface
    interface Choice {
        ServicePorts choose(int servers, int attempt) throws IOException;
    }

    /**
     * Chooses the documented ports of the lead and of the inference API if they are free. The other servers, and later
     * attempts, get any free ports: if another run took the documented ports, a second try would conflict with it again.
     *
     * @param address that the parameter servers are to listen on
     */
    static ServicePorts documentedFirst(String address, int servers, int attempt) throws IOException {
        boolean isFirst = attempt == 1;
        InetAddress at = InetAddress.getByName(address);
        List<Integer> ports = new ArrayList<>(List.of(isFirst ? Ports.preferring(at, LEAD) : Ports.free(at)));
        while (ports.size() < servers) {
            ports.add(Ports.free(at));
        }
        return new ServicePorts(ports, isFirst ? Ports.preferring(INFERENCE) : Ports.free());
    }
}
