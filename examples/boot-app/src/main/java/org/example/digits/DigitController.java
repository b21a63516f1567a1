package org.example.digits;

import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.PredictionResult.Scores;
import org.fleetgrad.serving.policy.WantedVersion;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** One route: an image of 28x28 pixels, each from 0 to 255, as an array of JSON. */
@RestController
class DigitController {

    private static final ImageShape SHAPE = new ImageShape(1, 28, 28);

    private final LiveModel model;

    DigitController(LiveModel model) {
        this.model = model;
    }

    record Digit(int digit, float probability, long version) {}

    @PostMapping("/digit")
    Digit digit(@RequestBody float[] pixels) {
        if (pixels.length != SHAPE.values()) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "an image has 784 pixels; these are " + pixels.length);
        }
        PredictionOutcome outcome = model.predict(WantedVersion.BY_POLICY, new Images(SHAPE, pixels));
        if (!(outcome instanceof PredictionResult result)) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "no version answers: " + outcome);
        }
        Scores best = result.scores().get(0);
        return new Digit(
                best.index(),
                best.probabilities().get(best.index()),
                result.version().version());
    }
}
