package org.fleetgrad.benchmarks.exchange;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;

/** Compares a push-and-pull over a server's Unix domain socket with one over loopback TCP; the same server and client. */
public record UnixSocketExchange(Workbench bench) {

    private static final long WARM_UP_MS = 3_000;
    private static final long ROUND_MS = 1_000;

    /** Measures LeNet-5, in microseconds. */
    public Figure measure() throws Exception {
        // Of its own, since a socket's path may have about 100 bytes.
        Path folder = Files.createTempDirectory("fleetgrad");
        Path socket = folder.resolve("ps.sock");
        try {
            Programs.Server tcp =
                    bench.programs().startServerWithParameters(Map.of("PS_UNIXSOCKET", socket.toString()));
            PushAndPull.Client overTcp = new PushAndPull.Client(Model.SMALL, tcp);
            PushAndPull.Client overUnix = new PushAndPull.Client(Model.SMALL, at(socket, tcp));
            Timings.during(WARM_UP_MS, overTcp::exchange);
            Timings.during(WARM_UP_MS, overUnix::exchange);
            Comparison.Pair pair = bench.compare(
                    () -> Timings.during(ROUND_MS, overUnix::exchange).medianMicros(),
                    () -> Timings.during(ROUND_MS, overTcp::exchange).medianMicros());
            Programs.end(tcp.process());
            return Figure.of(
                            "push-pull-247kb-unix",
                            "push-and-pull, one worker, applied, through ps-client over a Unix domain socket")
                    .ours(pair.ours(), "µs")
                    .rival(pair.other(), "the same over loopback TCP");
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(folder);
        }
    }

    private static Programs.Server at(Path socket, Programs.Server server) {
        URI address = URI.create("unix:" + socket);
        return new Programs.Server(address, new PsClient(address, ClientOptions.DEFAULT), server.process());
    }
}
