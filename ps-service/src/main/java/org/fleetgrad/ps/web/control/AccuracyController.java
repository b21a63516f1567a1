package org.fleetgrad.ps.web.control;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.operation.BestReceipt;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.request.RequestMembers;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /getAccuracy} and {@code POST /putAccuracy}. */
@RestController
record AccuracyController(
        Evaluations evaluations,
        Training training,
        PublishedParameters published,
        RunEvents events,
        RunHistory course,
        BestReceipt best,
        Clock clock) {

    @GetMapping(Routes.GET_ACCURACY)
    AccuracyReply newest() {
        return newest(null);
    }

    private AccuracyReply newest(@Nullable Boolean areParametersWanted) {
        Optional<HeldOutResult> newest = evaluations.newest();
        return new AccuracyReply(
                200,
                newest.flatMap(HeldOutResult::accuracy).orElse(null),
                newest.flatMap(HeldOutResult::accuracyTop5).orElse(null),
                newest.flatMap(HeldOutResult::loss).orElse(null),
                newest.flatMap(HeldOutResult::text).orElse(null),
                newest.flatMap(HeldOutResult::regression).orElse(null),
                newest.flatMap(HeldOutResult::binary).orElse(null),
                newest.flatMap(HeldOutResult::labels).orElse(null),
                newest.map(held -> held.version().version()).orElse(null),
                newest.map(HeldOutResult::samples).orElse(null),
                training.generation(),
                evaluations.best().map(held -> held.score().value()).orElse(null),
                areParametersWanted);
    }

    @PostMapping(Routes.PUT_ACCURACY)
    AccuracyReply put(@RequestBody PutAccuracyRequest request) {
        HeldOutResult evaluation = checked(request);
        evaluations.add(evaluation);
        course.add(new RunHistory.Evaluation(
                clock.millis(),
                evaluation.version().version(),
                evaluation.accuracy(),
                evaluation.accuracyTop5(),
                evaluation.loss()));
        events.publish("accuracy", event(evaluation));
        return newest(best.wants(evaluation));
    }

    private static Map<String, Object> event(HeldOutResult evaluation) {
        Map<String, Object> event = new TreeMap<>();
        event.put("version", evaluation.version().version());
        evaluation.accuracy().ifPresent(share -> event.put("accuracy", share));
        evaluation.loss().ifPresent(loss -> event.put("loss", loss));
        event.put("samples", evaluation.samples());
        return event;
    }

    private HeldOutResult checked(PutAccuracyRequest request) {
        String generation = RequestMembers.required("generation", request.generation());
        long version = RequestMembers.required("version", request.version());
        if (!generation.equals(training.generation())) {
            throw new RequestRefused(
                    ProblemKind.OTHER_GENERATION,
                    "the evaluation is of generation '%s', the server's is '%s'"
                            .formatted(generation, training.generation()));
        }
        long newest = published.version().map(ParameterVersion::version).orElse(-1L);
        if (version > newest) {
            throw new RequestRefused(
                    ProblemKind.FUTURE_VERSION,
                    "the evaluation is of version %d, the newest is %d".formatted(version, newest));
        }
        try {
            return new HeldOutResult(
                    new ParameterVersion(generation, version),
                    accuracy(request),
                    Optional.ofNullable(request.accuracyTop5()),
                    Optional.ofNullable(request.loss()),
                    Optional.ofNullable(request.text()),
                    Optional.ofNullable(request.regression()),
                    Optional.ofNullable(request.binary()),
                    Optional.ofNullable(request.labels()),
                    RequestMembers.required("samples", request.samples()));
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    /** Where numbers or labels are predicted there is none, whatever the evaluator says of it. */
    private static Optional<Double> accuracy(PutAccuracyRequest request) {
        return request.regression() == null && request.labels() == null
                ? Optional.of(RequestMembers.required("accuracy", request.accuracy()))
                : Optional.empty();
    }
}
