package org.fleetgrad.ps.web.exchange;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.PutBestReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorLayout.LayoutDifference;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.operation.BestReceipt;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** {@code PUT /putBest}: the parameters of an evaluated version, after {@code POST /putAccuracy} asked for them. */
@Component
final class PutBest implements ExchangeHandler {

    private final Training training;
    private final BestReceipt receipt;
    private final SlowClients clients;
    private final ReceivedBytes arrived;
    private final long limitBytes;

    PutBest(
            Training training,
            BestReceipt receipt,
            SlowClients clients,
            ReceivedBytes arrivingSets,
            PsProperties properties) {
        this.training = training;
        this.receipt = receipt;
        this.clients = clients;
        this.arrived = arrivingSets;
        this.limitBytes = properties.maxBody().toBytes();
    }

    @Override
    public String method() {
        return "PUT";
    }

    @Override
    public String path() {
        return Routes.PUT_BEST;
    }

    @Override
    public boolean takesTensors() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        BodyReader.begin(exchange, arrived, clients, limitBytes, new Put(exchange, version(exchange.query())));
    }

    private ParameterVersion version(QueryParameters query) {
        String generation = query.required("generation");
        String unused = query.required("version");
        long version = query.wholeNumber("version", 0, Long.MAX_VALUE).orElseThrow();
        if (!generation.equals(training.generation())) {
            throw new RequestRefused(
                    ProblemKind.OTHER_GENERATION,
                    "the parameters are of generation '%s', the server's is '%s'"
                            .formatted(generation, training.generation()));
        }
        return new ParameterVersion(generation, version);
    }

    /** One parameter set that is being received. */
    private final class Put implements BodyReader.Receiver {

        private final Exchange exchange;
        private final ParameterVersion version;
        private final ReceivedBytes.Reservation reservation = arrived.newReservation();
        private @Nullable TensorLayout layout;
        private BodySink.@Nullable Bytes bytes;

        Put(Exchange exchange, ParameterVersion version) {
            this.exchange = exchange;
            this.version = version;
        }

        @Override
        public BodySink onHeader(Safetensors.Head head) {
            Optional<LayoutDifference> difference =
                    receipt.difference(TensorLayout.canonical(head.layout().specs()));
            if (difference.isPresent()) {
                throw OutcomeProblems.of(new PutOutcome.LayoutMismatch(
                        difference.get().tensor(), difference.get().message()));
            }
            layout = head.layout();
            BodySink.Bytes sink = new BodySink.Bytes((int) head.layout().byteLength(), reservation);
            bytes = sink;
            return sink;
        }

        @Override
        public void onComplete() {
            TensorSet parameters = new TensorSet(
                    Objects.requireNonNull(layout),
                    Objects.requireNonNull(bytes).bytes(),
                    Map.of());
            boolean isKept;
            try {
                isKept = receipt.keep(version, parameters);
            } catch (IOException unwritable) {
                throw OutcomeProblems.of(new SubmissionResult.NotDurable<>(
                        "the best version could not be kept: " + unwritable.getMessage()));
            }
            exchange.json(
                    HttpStatus.OK_200,
                    new PutBestReply(HttpStatus.OK_200, version.generation(), version.version(), isKept));
        }

        @Override
        public void release() {
            reservation.close();
        }
    }
}
