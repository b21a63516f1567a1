package org.fleetgrad.ps.web.exchange;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.ParameterMessages.PutParameterReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** {@code PUT /putParameter}: the initial parameter set, or an operator's overwrite. */
@Component
final class PutParameter implements ExchangeHandler {

    private final Training training;
    private final PublishedParameters published;
    private final ReceivedBytes arrived;
    private final SlowClients clients;
    private final MemoryBudget budget;
    private final long limitBytes;

    PutParameter(
            Training training,
            PublishedParameters published,
            SlowClients clients,
            MemoryBudget budget,
            ReceivedBytes arrivingSets,
            PsProperties properties) {
        this.training = training;
        this.arrived = arrivingSets;
        this.published = published;
        this.clients = clients;
        this.budget = budget;
        this.limitBytes = properties.maxBody().toBytes();
    }

    @Override
    public String method() {
        return "PUT";
    }

    @Override
    public String path() {
        return Routes.PUT_PARAMETER;
    }

    @Override
    public boolean takesTensors() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        Precondition precondition = precondition(exchange.header("If-None-Match"), exchange.header("If-Match"));
        Optional<ParameterVersion> newest = published.version();
        if (!precondition.holds(newest)) {
            // Before a byte of the body is read; the applier checks again, since another write may come first.
            throw OutcomeProblems.of(new PutOutcome.PreconditionFailed(newest));
        }
        BodyReader.begin(exchange, arrived, clients, limitBytes, new Put(exchange, precondition));
    }

    private void put(Exchange exchange, InitialParameters given, Precondition precondition) {
        PutOutcome outcome = OutcomeProblems.awaitOutcome(training.put(given, precondition));
        if (outcome instanceof PutOutcome.Accepted accepted) {
            write(exchange, given, accepted);
        } else if (outcome instanceof PutOutcome.PreconditionFailed failed) {
            throw OutcomeProblems.of(failed);
        } else {
            throw OutcomeProblems.of((PutOutcome.LayoutMismatch) outcome);
        }
    }

    private static void write(Exchange exchange, InitialParameters given, PutOutcome.Accepted accepted) {
        int status = accepted.isInitial() ? HttpStatus.CREATED_201 : HttpStatus.OK_200;
        exchange.setHeader("ETag", accepted.version().etag());
        exchange.json(
                status,
                new PutParameterReply(
                        status,
                        accepted.version().generation(),
                        accepted.version().version(),
                        given.layout().size(),
                        given.layout().byteLength()));
    }

    private static Precondition precondition(@Nullable String ifNoneMatch, @Nullable String ifMatch) {
        if (ifNoneMatch != null && ifMatch == null && ifNoneMatch.equals("*")) {
            return Precondition.ABSENT;
        }
        if (ifMatch != null && ifNoneMatch == null) {
            return ifMatch.equals("*") ? Precondition.PRESENT : Precondition.is(ifMatch);
        }
        throw new RequestRefused(
                ProblemKind.PRECONDITION_REQUIRED,
                "send 'If-None-Match: *' with an initial parameter set, or 'If-Match' with the entity tag to overwrite");
    }

    /** One parameter set that is being received. */
    private final class Put implements BodyReader.Receiver {

        private final Exchange exchange;
        private final Precondition precondition;
        private final ReceivedBytes.Reservation reservation = arrived.newReservation();
        private @Nullable ReceivedParameters given;

        Put(Exchange exchange, Precondition precondition) {
            this.exchange = exchange;
            this.precondition = precondition;
        }

        @Override
        public BodySink onHeader(Safetensors.Head head) {
            ReceivedParameters checked = ReceivedParameters.of(head, reservation);
            budget.refusal(count(checked)).ifPresent(reason -> {
                throw new RequestRefused(
                        ProblemKind.TOO_LARGE,
                        reason,
                        Map.of("bytes", Float.BYTES * count(checked).all()));
            });
            given = checked;
            return checked.sink();
        }

        private ValueCount count(ReceivedParameters checked) {
            try {
                return checked.count(training.settings());
            } catch (IllegalArgumentException unfit) {
                throw OutcomeProblems.of(new PutOutcome.LayoutMismatch(
                        training.settings().freeze().toString(), "ps." + unfit.getMessage()));
            }
        }

        @Override
        public void onComplete() {
            put(exchange, Objects.requireNonNull(given).parameters(), precondition);
        }

        @Override
        public void release() {
            reservation.close();
        }
    }
}
