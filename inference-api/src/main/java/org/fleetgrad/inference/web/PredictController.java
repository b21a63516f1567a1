package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.prediction.ImageFile.ImageFormat;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Predictions over HTTP. */
@RestController
class PredictController {

    private static final String SAFETENSORS = "application/vnd.safetensors";
    private static final String SAFETENSORS_BY_DJL = "tensor/safetensors";

    private final Predictor predictor;
    private final Refusals refusals;
    private final ImageReaders readers;
    private final BoundedBodyReader bodies;
    private final Timer timer;

    PredictController(
            Predictor predictor,
            Refusals refusals,
            ImageReaders readers,
            BoundedBodyReader bodies,
            MeterRegistry metrics) {
        this.predictor = predictor;
        this.refusals = refusals;
        this.readers = readers;
        this.bodies = bodies;
        this.timer = timer(metrics);
    }

    static Timer timer(MeterRegistry metrics) {
        return Timer.builder("inference.predict")
                .description("Time to decode and classify the images of one request")
                .register(metrics);
    }

    @PostMapping(path = "/predict", consumes = MediaType.APPLICATION_JSON_VALUE)
    PredictReply json(
            HttpServletRequest request,
            @RequestParam(defaultValue = "false") String invert,
            @RequestParam(required = false) @Nullable String version)
            throws IOException {
        return predict(request, invert, version, readers::json);
    }

    @PostMapping(
            path = "/predict",
            consumes = {SAFETENSORS, SAFETENSORS_BY_DJL})
    PredictReply safetensors(
            HttpServletRequest request,
            @RequestParam(defaultValue = "false") String invert,
            @RequestParam(required = false) @Nullable String version)
            throws IOException {
        return predict(request, invert, version, readers::safetensors);
    }

    @PostMapping(path = "/predict", consumes = MediaType.IMAGE_PNG_VALUE)
    PredictReply png(
            HttpServletRequest request,
            @RequestParam(defaultValue = "false") String invert,
            @RequestParam(required = false) @Nullable String version)
            throws IOException {
        return predict(request, invert, version, (body, isInverted) -> readers.file(body, ImageFormat.PNG, isInverted));
    }

    @PostMapping(path = "/predict", consumes = MediaType.IMAGE_JPEG_VALUE)
    PredictReply jpeg(
            HttpServletRequest request,
            @RequestParam(defaultValue = "false") String invert,
            @RequestParam(required = false) @Nullable String version)
            throws IOException {
        return predict(
                request, invert, version, (body, isInverted) -> readers.file(body, ImageFormat.JPEG, isInverted));
    }

    /** Creates a reader of a body's images, perhaps inverted, to be called once their shape is known. */
    @FunctionalInterface
    private interface Decoding {
        Function<ImageShape, Images> of(byte[] body, boolean isInverted);
    }

    /** Checks the query before the body is read: a wrong query costs no memory. */
    private PredictReply predict(HttpServletRequest request, String invert, @Nullable String version, Decoding decoding)
            throws IOException {
        WantedVersion wanted = wanted(version);
        boolean isInverted = isTrue(invert);
        Function<ImageShape, Images> images = decoding.of(bodies.read(request), isInverted);
        return Objects.requireNonNull(timer.record(
                () -> PredictReply.of(refusals.resultOf(predictor.predict(wanted, images)), predictor.accuracies())));
    }

    static WantedVersion wanted(@Nullable String version) {
        if (version == null) {
            return WantedVersion.BY_POLICY;
        }
        try {
            return WantedVersion.parse(version);
        } catch (IllegalArgumentException malformed) {
            throw new RequestRefused(ProblemKind.INVALID_PARAMETER, String.valueOf(malformed.getMessage()));
        }
    }

    /** Spring would also accept "on", "yes" and "1", which the contract does not allow. */
    private static boolean isTrue(String invert) {
        return switch (invert) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new RequestRefused(
                        ProblemKind.INVALID_PARAMETER, "invert must be true or false; it is '%s'".formatted(invert));
        };
    }
}
