package org.fleetgrad.benchmarks.exchange;

import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.networks.Networks;

/**
 * Measures requests per second over 8 connections, compared with loopback TCP and the same bytes both ways. The goals,
 * shares of the loopback's rate, are what the first table reached on a machine that was idle but for it.
 */
public record RequestRates(Workbench bench) {

    private static final int SMALL_ANSWER = 90;
    private static final int HEADER_BYTES = 1024;

    public Figure getParameter() throws Exception {
        int body = Math.toIntExact(Networks.usual("lenet5").spec().layout().byteLength()) + HEADER_BYTES;
        RequestLoad load = RequestLoad.pulls(bench.programs().startServerWithParameters());
        return compare("getParameter", "pulls of 247 KB, 8 connections", load, body)
                .ratioAtLeast(0.6);
    }

    public Figure getVersion() throws Exception {
        RequestLoad load = RequestLoad.versions(bench.programs().startServerWithParameters());
        return compare("getVersion", "requests for the version, 8 connections", load, SMALL_ANSWER)
                .ratioAtLeast(0.33);
    }

    public Figure putGradient() throws Exception {
        RequestLoad load = RequestLoad.pushes(bench.programs().startServerWithParameters());
        return compare("putGradient", "pushes of 247 KB, applied, 8 connections", load, SMALL_ANSWER)
                .ratioAtLeast(0.28);
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
