package org.fleetgrad.benchmarks.rivals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.benchmarks.exchange.RequestLoad;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.figures.Result.Missing;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.runs.process.Ports;

/**
 * Measures Redis as a store of bytes, with its own redis-benchmark. Redis checks nothing, applies nothing and has no
 * versions: a pull is a GET, and a push a SET.
 */
public record Redis(Workbench bench) {

    private static final String BYTES = "247000";
    private static final String REQUESTS = "20000";
    private static final int LOOK_MS = 20;
    private static final int PATIENCE = 250;

    private enum Side {
        PULL,
        PUSH,
        REDIS
    }

    public List<Result> measure() throws Exception {
        Optional<String> missing = missing();
        if (missing.isPresent()) {
            return List.of(Missing.skipped("redis", missing.get()));
        }
        String port = start();
        Programs.Server server = bench.programs().startServerWithParameters();
        RequestLoad pulls = RequestLoad.gets(server, Routes.GET_PARAMETER);
        RequestLoad pushes = RequestLoad.pushes(server, false);
        pulls.warmUp();
        pushes.warmUp();
        Comparison<Side> comparison = bench.compareAll(List.of(Side.values()), side -> switch (side) {
            case PULL -> new double[] {pulls.perSecond()};
            case PUSH -> new double[] {pushes.perSecond()};
            case REDIS -> redis(port);
        });
        return List.of(
                Figure.of("redis-get", "getParameter of 247 KB, 8 connections")
                        .ours(comparison.of(Side.PULL), "requests/s")
                        .rival(comparison.of(Side.REDIS, 1), "Redis, GET of the same number of bytes"),
                Figure.of("redis-set", "putGradient of 247 KB, checked and applied, 8 connections")
                        .ours(comparison.of(Side.PUSH), "requests/s")
                        .rival(comparison.of(Side.REDIS, 0), "Redis, SET of the same number of bytes, only stored")
                        .ratioAtLeast(0.6));
    }

    private static Optional<String> missing() throws InterruptedException {
        for (String program : List.of("redis-server", "redis-benchmark")) {
            try {
                boolean unused = Programs.succeeds(program, "--version");
            } catch (IOException absent) {
                return Optional.of("there is no %s: apt-get install redis-server".formatted(program));
            }
        }
        return Optional.empty();
    }

    private String start() throws IOException, InterruptedException {
        int port = Ports.free();
        String words = "redis-server --port %d --bind 127.0.0.1 --appendonly no --logfile %s --save"
                .formatted(port, bench.scratch("redis").resolve("redis.log"));
        List<String> command = new ArrayList<>(List.of(words.split(" ")));
        // No snapshots.
        command.add("");
        Process process = bench.programs().startOther("redis", command, Map.of());
        for (int look = 0; look < PATIENCE && process.isAlive(); look++) {
            try (Socket there = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return Integer.toString(there.getPort());
            } catch (IOException notYet) {
                Thread.sleep(LOOK_MS);
            }
        }
        throw new IOException("redis-server does not listen on port " + port);
    }

    private static double[] redis(String port) throws IOException, InterruptedException {
        String words = "redis-benchmark -p %s -d %s -c 8 -n %s -t set,get --csv".formatted(port, BYTES, REQUESTS);
        List<String> lines = Programs.output(words.split(" ")).lines().toList();
        return new double[] {rate(lines, "SET"), rate(lines, "GET")};
    }

    /** Reads lines such as {@code "SET","1234.5",...}. */
    static double rate(List<String> csv, String test) throws IOException {
        List<String> found =
                csv.stream().filter(line -> line.startsWith("\"" + test + "\"")).toList();
        if (found.size() != 1) {
            throw new IOException("redis-benchmark did not print exactly one line of %s: %s".formatted(test, csv));
        }
        return Double.parseDouble(found.get(0).split(",")[1].replace("\"", ""));
    }
}
