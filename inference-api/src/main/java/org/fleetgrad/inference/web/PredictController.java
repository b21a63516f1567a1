package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.following.Follower;
import org.fleetgrad.inference.prediction.ImageFile;
import org.fleetgrad.inference.prediction.ImageFormat;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.images.Images;
import org.fleetgrad.serving.images.JsonImages;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Predictions over HTTP. */
@RestController
class PredictController {

    private final Predictor predictor;
    private final Follower follower;
    private final int maxImages;
    private final BodyReader bodies;
    private final Timer timer;

    PredictController(
            Predictor predictor,
            Follower follower,
            InferenceProperties properties,
            BodyReader bodies,
            MeterRegistry metrics) {
        this.predictor = predictor;
        this.follower = follower;
        this.maxImages = properties.maxBatch();
        this.bodies = bodies;
        this.timer = Timer.builder("inference.predict")
                .description("Time to decode and classify the images of one request")
                .register(metrics);
    }

    @PostMapping(path = "/predict", consumes = MediaType.APPLICATION_JSON_VALUE)
    PredictReply json(HttpServletRequest request, @RequestParam(defaultValue = "false") String invert)
            throws IOException {
        boolean isInverted = isTrue(invert);
        byte[] body = bodies.read(request);
        return predict(shape -> {
            Images images = new JsonImages(shape, maxImages).read(body);
            return isInverted ? images.inverted() : images;
        });
    }

    @PostMapping(path = "/predict", consumes = MediaType.IMAGE_PNG_VALUE)
    PredictReply png(HttpServletRequest request, @RequestParam(defaultValue = "false") String invert)
            throws IOException {
        return file(request, ImageFormat.PNG, isTrue(invert));
    }

    @PostMapping(path = "/predict", consumes = MediaType.IMAGE_JPEG_VALUE)
    PredictReply jpeg(HttpServletRequest request, @RequestParam(defaultValue = "false") String invert)
            throws IOException {
        return file(request, ImageFormat.JPEG, isTrue(invert));
    }

    private PredictReply file(HttpServletRequest request, ImageFormat format, boolean isInverted) throws IOException {
        byte[] body = bodies.read(request);
        return predict(shape -> new ImageFile(shape).read(body, format, isInverted));
    }

    private PredictReply predict(Function<ImageShape, Images> images) {
        return Objects.requireNonNull(timer.record(() -> predictor
                .predict(images)
                .map(PredictReply::of)
                .orElseThrow(() -> new NoModelException(
                        "there is no model yet: " + follower.state().detail()))));
    }

    /** Spring would also accept "on", "yes" and "1", which the contract does not have. */
    private static boolean isTrue(String invert) {
        return switch (invert) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new InvalidParameterException("invert must be true or false; it is '%s'".formatted(invert));
        };
    }
}
