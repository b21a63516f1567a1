package org.fleetgrad.inference.web;

import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.prediction.ImageFile;
import org.fleetgrad.inference.prediction.ImageFile.ImageFormat;
import org.fleetgrad.inference.prediction.RawImages;
import org.fleetgrad.inference.prediction.SafetensorsImages;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.JsonImages;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Creates readers of bodies, within the limits of the settings; each reads once the shape of the images is known. */
@Component
class ImageReaders {

    private static final int HEAP_SHARE = 8;

    private final int maxImages;
    private final long maxPixels;
    private final Semaphore decoders;

    @Autowired
    ImageReaders(InferenceProperties properties) {
        this(properties.maxBatch(), properties.maxImagePixels());
    }

    ImageReaders(int maxImages, long maxPixels) {
        this.maxImages = maxImages;
        this.maxPixels = maxPixels;
        this.decoders = new Semaphore(decoders(maxPixels, Runtime.getRuntime()));
    }

    /** Decoding is CPU-bound: more decoders than processors are not faster. Together they take an eighth of the heap at most. */
    private static int decoders(long maxPixels, Runtime runtime) {
        long fitting = runtime.maxMemory() / HEAP_SHARE / ImageFile.bytesOf(maxPixels);
        return (int) Math.max(1, Math.min(fitting, runtime.availableProcessors()));
    }

    int maxImages() {
        return maxImages;
    }

    Function<ImageShape, Images> json(byte[] body, boolean isInverted) {
        return inverted(shape -> new JsonImages(shape, maxImages).read(body), isInverted);
    }

    Function<ImageShape, Images> safetensors(byte[] body, boolean isInverted) {
        return inverted(shape -> new SafetensorsImages(new RawImages(shape, maxImages)).read(body), isInverted);
    }

    Function<ImageShape, Images> file(byte[] body, ImageFormat format, boolean isInverted) {
        return shape -> new ImageFile(shape, maxPixels, decoders).read(body, format, isInverted);
    }

    private static Function<ImageShape, Images> inverted(Function<ImageShape, Images> reader, boolean isInverted) {
        return isInverted ? reader.andThen(Images::inverted) : reader;
    }
}
