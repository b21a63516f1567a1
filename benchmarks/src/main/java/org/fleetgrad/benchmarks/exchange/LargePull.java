package org.fleetgrad.benchmarks.exchange;

import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.protocol.Routes;

/** Measures the speed of pulling a model of 100 MB, compared with loopback TCP. */
public record LargePull(Workbench bench) {

    private static final long ROUND_MS = 1_500;

    public Figure measure() throws Exception {
        Programs.Server server = Model.LARGE.serve(bench.programs());
        byte[] request = LoadConnection.get(Routes.GET_PARAMETER);
        try (LoopbackAnswer loopback = new LoopbackAnswer(request.length, Model.LARGE.answerBytes());
                LoadConnection toServer = new LoadConnection(server.address());
                LoadConnection toLoopback = new LoadConnection(loopback.address())) {
            gigabytesASecond(toServer, request);
            gigabytesASecond(toLoopback, request);
            Comparison.Pair pair = bench.compare(
                    () -> gigabytesASecond(toServer, request), () -> gigabytesASecond(toLoopback, request));
            return Figure.of("pull-100mb", "a model of 100 MB pulled over one connection")
                    .ours(pair.ours(), "GB/s")
                    .limit(pair.other(), "loopback TCP, the same bytes")
                    .ratioAtLeast(1);
        }
    }

    private static double gigabytesASecond(LoadConnection connection, byte[] request) throws Exception {
        long[] bytes = {0};
        Timings timings = Timings.during(ROUND_MS, () -> bytes[0] += connection.exchange(request));
        return (double) bytes[0] / 1e9 / timings.totalSeconds();
    }
}
