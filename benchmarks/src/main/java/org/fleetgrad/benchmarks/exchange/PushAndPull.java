package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;

/**
 * Measures one worker's push that is applied and answered with the new parameters in one round trip, over a raw
 * connection and through ps-client. Compares with the same bytes over loopback TCP without any processing.
 */
public record PushAndPull(Workbench bench) {

    private static final long WARM_UP_MS = 3_000;
    private static final long ROUND_MS = 1_000;

    /** Goals as multiples of the loopback's time. */
    private static final double RAW_GOAL = 2;

    private static final double CLIENT_GOAL = 2.5;

    private enum Side {
        RAW,
        CLIENT,
        LIMIT
    }

    public List<Figure> measure(Model model) throws Exception {
        Programs.Server server = model.serve(bench.programs());
        GradientPushes raw = new GradientPushes(server.client(), model.layout(), true);
        Client client = new Client(model, server);
        byte[] request = new byte[raw.requestBytes()];
        try (LoopbackAnswer loopback = new LoopbackAnswer(request.length, model.answerBytes());
                LoadConnection toServer = new LoadConnection(server.address());
                LoadConnection toLoopback = new LoadConnection(loopback.address())) {
            Timings.during(WARM_UP_MS, () -> raw.push(toServer));
            Timings.during(WARM_UP_MS, client::exchange);
            Timings.during(ROUND_MS, () -> toLoopback.exchange(request));
            Comparison<Side> comparison = bench.compare(
                    List.of(Side.values()),
                    side -> Timings.during(ROUND_MS, () -> {
                                switch (side) {
                                    case RAW -> raw.push(toServer);
                                    case CLIENT -> client.exchange();
                                    case LIMIT -> toLoopback.exchange(request);
                                }
                            })
                            .medianMicros());
            DoubleUnaryOperator toUnit = micros -> micros / model.microsInUnit();
            List<Figure> figures = new ArrayList<>();
            for (Side side : List.of(Side.RAW, Side.CLIENT)) {
                figures.add(Figure.of(
                                "push-pull-" + model.word() + (side == Side.RAW ? "" : "-client"),
                                "push-and-pull, one worker, applied, "
                                        + (side == Side.RAW ? "over a raw connection" : "through ps-client"))
                        .ours(comparison.of(side).map(toUnit), model.unit())
                        .limit(comparison.of(Side.LIMIT).map(toUnit), "loopback TCP, the same bytes")
                        .ratioAtMost(side == Side.RAW ? RAW_GOAL : CLIENT_GOAL));
            }
            return figures;
        }
    }

    /** One worker that uses ps-client, like a real worker. */
    public static final class Client {

        private static final float SMALL_VALUE = 1e-6f;

        private final PsClient server;
        private final GradientPushes pushes;
        private final GradientSender sender;
        private final float[] gradient;

        public Client(Model model, Programs.Server server) throws IOException {
            this.server = server.client();
            this.pushes = new GradientPushes(server.client(), model.layout(), true);
            this.sender =
                    new GradientSender(model.layout(), ParameterState.NONE, FrozenTensors.NONE, Encodings.PLAIN, 1);
            this.gradient = new float[Math.toIntExact(model.layout().elementCount())];
            Arrays.fill(gradient, SMALL_VALUE);
        }

        public long values() {
            return gradient.length;
        }

        public double medianMicros() throws Exception {
            return Timings.during(ROUND_MS, this::exchange).medianMicros();
        }

        void exchange() throws IOException, EncodingException {
            sender.prepare(List.of(), gradient);
            PushResult result = server.push(pushes.nextMetadata(), sender, true);
            if (!(result instanceof PushResult.Applied applied)
                    || applied.pulled().isEmpty()) {
                throw new IllegalStateException("the server answered " + result);
            }
        }
    }
}
