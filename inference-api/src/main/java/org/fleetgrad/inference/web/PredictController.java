package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.prediction.Answered;
import org.fleetgrad.inference.prediction.ImageFile;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.inference.prediction.RawImages;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.inference.prediction.SafetensorsImages;
import org.fleetgrad.inference.prediction.SampleReader;
import org.fleetgrad.inference.prediction.StatedVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Predictions over HTTP. */
@RestController
class PredictController {

    private static final String SAFETENSORS = "application/vnd.safetensors";
    private static final String SAFETENSORS_BY_DJL = "tensor/safetensors";
    private static final int HEAP_SHARE = 8;

    private final Predictor predictor;
    private final Refusals refusals;
    private final BoundedBodyReader bodies;
    private final Timer timer;
    private final int maxImages;
    private final long maxPixels;
    private final Semaphore decoders;

    PredictController(
            Predictor predictor,
            Refusals refusals,
            BoundedBodyReader bodies,
            InferenceProperties properties,
            MeterRegistry metrics) {
        this.predictor = predictor;
        this.refusals = refusals;
        this.bodies = bodies;
        this.timer = timer(metrics);
        this.maxImages = properties.maxBatch();
        this.maxPixels = properties.maxImagePixels();
        this.decoders = new Semaphore(decoders(maxPixels, Runtime.getRuntime()));
    }

    static Timer timer(MeterRegistry metrics) {
        return Timer.builder("inference.predict")
                .description("Time to decode and classify the images of one request")
                .register(metrics);
    }

    /** Decoding is CPU-bound: more decoders than processors are not faster. Together they take an eighth of the heap at most. */
    private static int decoders(long maxPixels, Runtime runtime) {
        long fitting = runtime.maxMemory() / HEAP_SHARE / ImageFile.bytesOf(maxPixels);
        return (int) Math.max(1, Math.min(fitting, runtime.availableProcessors()));
    }

    /** Checks the query before the body is read: a wrong query costs no memory. */
    @PostMapping(
            path = "/predict",
            consumes = {
                MediaType.APPLICATION_JSON_VALUE,
                SAFETENSORS,
                SAFETENSORS_BY_DJL,
                MediaType.IMAGE_PNG_VALUE,
                MediaType.IMAGE_JPEG_VALUE
            })
    PredictReply predict(
            HttpServletRequest request,
            @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type,
            @RequestParam(defaultValue = "false") String invert,
            @RequestParam(required = false) @Nullable String version)
            throws IOException {
        WantedVersion wanted = StatedVersion.wanted(version);
        boolean isInverted = isTrue(invert);
        try (ReceivedBody body = bodies.readPrediction(request)) {
            SampleReader reader = reader(type, body.bytes(), isInverted);
            return Objects.requireNonNull(timer.record(() -> {
                Answered answered = predictor.predict(wanted, reader);
                return PredictReply.of(refusals.resultOf(answered.outcome()), answered.request(), predictor);
            }));
        }
    }

    /** Makes a reader of a body, to be called once what the version takes is known. */
    private SampleReader reader(MediaType type, byte[] body, boolean isInverted) {
        String bare = type.getType() + "/" + type.getSubtype();
        SampleReader reader = switch (bare) {
            case MediaType.APPLICATION_JSON_VALUE -> (form, memory) -> form.read(body, maxImages, memory);
            case SAFETENSORS, SAFETENSORS_BY_DJL ->
                (form, memory) -> new SafetensorsImages(new RawImages(form.images(), maxImages)).read(body, memory);
            default -> (form, memory) -> new ImageFile(form.images(), maxPixels, decoders).read(body, bare, isInverted);
        };
        return isInverted && !bare.startsWith("image/")
                ? (form, memory) -> reader.read(form, memory).inverted()
                : reader;
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
