package org.fleetgrad.benchmarks.exchange;

import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.Routes;

/**
 * Measures requests per second over 8 connections, compared with loopback TCP and the same bytes both ways. The goals,
 * shares of the loopback's rate, are what the first table reached on a machine that was idle but for it.
 */
public record RequestRates(Workbench bench) {

    private static final int SMALL_ANSWER = 90;
    private static final int HEADER_BYTES = 1024;
    private static final long PULL_MS = 1_500;

    public Figure getParameter() throws Exception {
        int body = Math.toIntExact(Networks.usual("lenet5").spec().layout().byteLength()) + HEADER_BYTES;
        RequestLoad load = RequestLoad.gets(bench.programs().startServerWithParameters(), Routes.GET_PARAMETER);
        return compare("getParameter", "pulls of 247 KB, 8 connections", load, body)
                .ratioAtLeast(0.6);
    }

    public Figure getVersion() throws Exception {
        RequestLoad load = RequestLoad.gets(bench.programs().startServerWithParameters(), Routes.GET_VERSION);
        return compare("getVersion", "requests for the version, 8 connections", load, SMALL_ANSWER)
                .ratioAtLeast(0.33);
    }

    public Figure putGradient() throws Exception {
        RequestLoad load = RequestLoad.pushes(bench.programs().startServerWithParameters(), false);
        return compare("putGradient", "pushes of 247 KB, applied, 8 connections", load, SMALL_ANSWER)
                .ratioAtLeast(0.28);
    }

    /** Pulls over one connection; the goal is the loopback's speed. */
    public Figure pullLarge() throws Exception {
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
        Timings timings = Timings.during(PULL_MS, () -> bytes[0] += connection.exchange(request));
        return (double) bytes[0] / 1e9 / timings.totalSeconds();
    }

    private Figure compare(String name, String what, RequestLoad load, int answerBytes) throws Exception {
        try (LoopbackAnswer loopback = new LoopbackAnswer(load.requestBytes(), answerBytes)) {
            RequestLoad raw = RequestLoad.same(loopback.address(), new byte[load.requestBytes()]);
            load.warmUp();
            Comparison.Pair pair = bench.compare(load::perSecond, raw::perSecond);
            return Figure.of(name, what)
                    .ours(pair.ours(), "requests/s")
                    .limit(pair.other(), "loopback TCP, the same bytes, a thread for each connection");
        }
    }
}
