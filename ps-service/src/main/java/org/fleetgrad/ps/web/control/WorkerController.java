package org.fleetgrad.ps.web.control;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.Tokens.IssuedToken;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.messages.WorkerMessages.LocalStepsTerms;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepReply;
import org.fleetgrad.protocol.messages.WorkerMessages.PassStepRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerRequest;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.membership.Leases.Registration;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.fleetgrad.ps.web.security.Callers;
import org.fleetgrad.ps.web.security.TokenHolders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /registerWorker}, {@code POST /unregisterWorker} and {@code POST /passStep}. */
@RestController
record WorkerController(
        Leases leases,
        Training training,
        PublishedParameters published,
        RunEvents events,
        Clock clock,
        TokenIssuer issuer,
        TokenHolders tokenHolders) {

    @PostMapping(Routes.REGISTER_WORKER)
    RegisterWorkerReply register(@RequestBody RegisterWorkerRequest request) {
        issuer.requireWorkerKeys(request.accessKey(), request.secretKey());
        Registration registration = leases.register(
                Optional.ofNullable(request.id()).map(RequestMembers::workerId),
                RequestMembers.text("description", request.description(), ""),
                RequestMembers.text("device", request.device(), "cpu"),
                Optional.ofNullable(request.deadline()).map(this::deadline),
                Optional.ofNullable(request.activation()).map(RequestMembers::activationId),
                Optional.ofNullable(request.address()).map(RequestMembers::servingAddress));
        if (registration instanceof Registration.Full full) {
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "%d workers are registered, as many as ps.max-workers lets in; there is room when a lease runs out"
                            .formatted(full.capacity()));
        }
        if (registration instanceof Registration.Taken taken) {
            throw new RequestRefused(
                    ProblemKind.WORKER_EXISTS,
                    "worker '%s' is registered for another %d ms, and longer if it renews its lease"
                            .formatted(
                                    taken.worker().id(),
                                    Duration.between(
                                                    leases.now(), taken.worker().leaseEnd())
                                            .toMillis()),
                    Map.of(
                            "worker",
                            taken.worker().id(),
                            "sequence",
                            training.highestSequence(taken.worker().id())));
        }
        if (registration instanceof Registration.Granted granted) {
            return granted(granted.worker(), granted.earlier());
        }
        throw new IllegalStateException("no answer for " + registration);
    }

    private Instant deadline(long epochMs) {
        Instant deadline = Instant.ofEpochMilli(epochMs);
        Instant now = clock.instant();
        if (!deadline.isAfter(now)) {
            throw new RequestRefused(
                    ProblemKind.MALFORMED,
                    "the deadline is %s, and it is %s here: a worker whose time is over cannot register"
                            .formatted(deadline, now));
        }
        return leases.now().plus(Duration.between(now, deadline));
    }

    private RegisterWorkerReply granted(Worker worker, Optional<Duration> earlier) {
        training.membershipChanged();
        events.publish(
                "registered",
                Map.of("worker", worker.id(), "description", worker.description(), "device", worker.device()));
        Optional<IssuedToken> token = issuer.forWorker(worker.id());
        tokenHolders.add(worker.id());
        return new RegisterWorkerReply(
                200,
                worker.id(),
                leases.length().toMillis(),
                training.generation(),
                published.version().map(ParameterVersion::version).orElse(0L),
                training.highestSequence(worker.id()),
                training.settings().workerMomentum(),
                training.settings().mode().isSynchronous(),
                token.map(IssuedToken::text).orElse(null),
                token.map(issued -> issued.lifetime().toMillis()).orElse(null),
                Encodings.OF_GRADIENTS,
                Encodings.OF_PARAMETERS,
                published.metadata().get(MetadataKeys.NETWORK),
                training.settings().freeze().isEmpty()
                        ? null
                        : training.settings().freeze().toString(),
                earlier.map(Duration::toMillis).orElse(null),
                training.settings().local().map(WorkerController::terms).orElse(null));
    }

    private static LocalStepsTerms terms(LocalSteps local) {
        return new LocalStepsTerms(local.steps(), local.inner().toString(), local.learningRate());
    }

    @PostMapping(Routes.UNREGISTER_WORKER)
    UnregisterWorkerReply unregister(@RequestBody UnregisterWorkerRequest request, HttpServletRequest http) {
        String id = RequestMembers.workerId(RequestMembers.required("id", request.id()));
        Callers.requireMayActAs(http, id);
        if (!leases.unregister(id)) {
            throw new RequestRefused(ProblemKind.UNKNOWN_WORKER, leases.notLive(id), Map.of("worker", id));
        }
        training.membershipChanged();
        events.publish("unregistered", Map.of("worker", id));
        return new UnregisterWorkerReply(200, id);
    }

    @PostMapping(Routes.PASS_STEP)
    PassStepReply pass(@RequestBody PassStepRequest request, HttpServletRequest http) {
        String worker = RequestMembers.workerId(RequestMembers.required("worker", request.worker()));
        Callers.requireMayActAs(http, worker);
        leases.renew(worker);
        ParameterVersion version;
        try {
            version = new ParameterVersion(
                    RequestMembers.required("generation", request.generation()),
                    RequestMembers.required("version", request.version()));
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
        PushOutcome outcome = OutcomeProblems.awaitOutcome(training.pass(worker, version));
        if (outcome instanceof PushOutcome.Buffered now) {
            return new PassStepReply(200, now.version());
        }
        throw OutcomeProblems.of((PushOutcome.Refused) outcome);
    }
}
