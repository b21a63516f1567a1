package org.fleetgrad.benchmarks.rivals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.fleetgrad.benchmarks.process.LineProcess;
import org.fleetgrad.benchmarks.process.Workbench;

/** Two processes of PyTorch's DistributedDataParallel over gloo, which train with batches of 32. */
public final class DdpRanks {

    private final List<LineProcess> ranks;

    /**
     * Starts them without waiting.
     *
     * @param network a name that networks.py knows
     * @param batches of each process in a measurement
     */
    public DdpRanks(Workbench bench, String network, int batches) throws IOException {
        String port = freePort();
        this.ranks = List.of(rank(bench, "0", port, network, batches), rank(bench, "1", port, network, batches));
    }

    private static LineProcess rank(Workbench bench, String rank, String port, String network, int batches)
            throws IOException {
        return PythonScript.start(bench, "ddp.py", rank, "2", port, Integer.toString(batches), network);
    }

    /** Trains once and returns the samples per second of both together. The first call includes the start. */
    public double samplesPerSecond() throws IOException {
        for (LineProcess rank : ranks) {
            rank.tell("go");
        }
        double samplesPerSecond = Double.parseDouble(ranks.get(0).hear());
        ranks.get(1).hear();
        return samplesPerSecond;
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
