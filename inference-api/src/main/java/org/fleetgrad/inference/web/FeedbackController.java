package org.fleetgrad.inference.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.feedback.FeedbackOutcome;
import org.fleetgrad.inference.feedback.FeedbackOutcome.Taken;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnfitLabel;
import org.fleetgrad.inference.feedback.FeedbackOutcome.UnknownAnswer;
import org.fleetgrad.inference.feedback.FeedbackReader;
import org.fleetgrad.inference.feedback.LiveFigures;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** True labels of answers that were given before, and how good the versions were by them. */
@RestController
class FeedbackController {

    private static final int MOST_VERSIONS = 64;

    private final Feedback feedback;
    private final HeldOutScores scores;
    private final BoundedBodyReader bodies;

    FeedbackController(Feedback feedback, HeldOutScores scores, BoundedBodyReader bodies) {
        this.feedback = feedback;
        this.scores = scores;
        this.bodies = bodies;
    }

    /** What became of the labels; {@code openapi.yaml} explains each member. */
    record FeedbackReply(int code, int counted, int repeated) {}

    /** The versions with feedback; {@code openapi.yaml} explains each member. */
    record LiveVersionsReply(int code, long counted, long repeated, List<LiveVersionReply> versions) {}

    record LiveVersionReply(
            String generation,
            long version,
            LiveReply live,
            @Nullable Double accuracy,
            @Nullable Double loss) {}

    @PostMapping(path = "/feedback", consumes = MediaType.APPLICATION_JSON_VALUE)
    FeedbackReply take(HttpServletRequest request) throws IOException {
        FeedbackOutcome outcome = feedback.take(FeedbackReader.read(bodies.read(request)));
        if (outcome instanceof UnknownAnswer unknown) {
            throw new RequestRefused(ProblemKind.UNKNOWN_ANSWER, unknown.why());
        }
        if (outcome instanceof UnfitLabel unfit) {
            throw new RequestRefused(ProblemKind.UNFIT_LABEL, unfit.why());
        }
        Taken taken = (Taken) outcome;
        return new FeedbackReply(200, taken.counted(), taken.repeated());
    }

    @GetMapping("/feedback")
    LiveVersionsReply versions() {
        return new LiveVersionsReply(
                200,
                feedback.counted(),
                feedback.repeated(),
                feedback.last(MOST_VERSIONS).stream().map(this::version).toList());
    }

    private LiveVersionReply version(LiveFigures figures) {
        Optional<HeldOutScore> heldOut = scores.of(figures.version());
        return new LiveVersionReply(
                figures.version().generation(),
                figures.version().version(),
                LiveReply.of(figures),
                heldOut.flatMap(HeldOutScore::accuracy).orElse(null),
                heldOut.flatMap(HeldOutScore::loss).orElse(null));
    }
}
