package org.fleetgrad.benchmarks.transport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.benchmarks.figures.Against;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Rounds;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;

/**
 * Measures the client's cost of a push-and-pull of 247 KB with several HTTP clients, in latency and in processor time,
 * with a worker's flags and the same server. No client encodes or decodes a tensor: that costs the same with each.
 */
public final class ClientTransports {

    private static final long WARM_UP_MS = 2_000;
    private static final long ROUND_MS = 1_000;

    private final Workbench bench;

    /** Makes the measurement on this workbench. */
    public ClientTransports(Workbench bench) {
        this.bench = bench;
    }

    /** A running probe. */
    private record Probe(Writer orders, BufferedReader answers) {

        double[] push(long forMs) throws IOException {
            orders.write(forMs + "\n");
            orders.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IOException("a probe has ended; its carrier failed");
            }
            String[] micros = answer.split(" ");
            return new double[] {Double.parseDouble(micros[0]), Double.parseDouble(micros[1])};
        }
    }

    /** Returns two figures for each client: latency, and processor time. */
    public List<Figure> measure() throws Exception {
        Programs.Server server = bench.programs().startServerWithParameters();
        Map<CarrierKind, Probe> probes = new EnumMap<>(CarrierKind.class);
        for (CarrierKind kind : CarrierKind.values()) {
            probes.put(kind, start(kind, server));
        }
        for (Probe probe : probes.values()) {
            probe.push(WARM_UP_MS);
        }
        Comparison<CarrierKind> comparison = new Rounds<>(bench.rounds(), List.of(CarrierKind.values()))
                .measure(kind -> Objects.requireNonNull(probes.get(kind)).push(ROUND_MS));
        List<Figure> figures = new ArrayList<>();
        for (CarrierKind kind : CarrierKind.values()) {
            if (kind != CarrierKind.SOCKET) {
                figures.add(figure(comparison, kind, "latency", "push-and-pull of 247 KB, median", 0));
                figures.add(figure(comparison, kind, "cpu", "client's processor time of it", 1));
            }
        }
        return figures;
    }

    private Probe start(CarrierKind kind, Programs.Server server) throws IOException {
        Process process = bench.programs()
                .startLikeWorker(
                        CarrierProbe.class, kind.name(), server.address().toString());
        return new Probe(
                process.outputWriter(StandardCharsets.UTF_8),
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)));
    }

    private static Figure figure(
            Comparison<CarrierKind> comparison, CarrierKind kind, String value, String what, int index) {
        return new Figure(
                "client-transport-%s-%s".formatted(kind.word(), value),
                "%s: %s".formatted(kind.what(), what),
                "µs",
                comparison.of(kind, index),
                Against.limit(comparison.of(CarrierKind.SOCKET, index), CarrierKind.SOCKET.what()));
    }
}
