package org.fleetgrad.load.question;

import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.protocol.HeaderNames;

/** The lossless image formats that {@code POST /predict} reads. */
public enum BodyFormat {
    /** Numbers in JSON; any number of images. */
    JSON("application/json"),
    /** One PNG file. */
    PNG("image/png"),
    /** A tensor of bytes; any number of images. */
    SAFETENSORS(HeaderNames.SAFETENSORS);

    private final String mediaType;

    BodyFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Checks that requests can have this format; the message of the exception says what to write instead. */
    public void require(ImageSamples samples, int batch) {
        if (this == PNG && batch != 1) {
            throw new IllegalArgumentException(
                    "a PNG file is one image; --batch is %d: write --format json or safetensors".formatted(batch));
        }
        if (this == PNG && samples.channels() != 1 && samples.channels() != 3) {
            throw new IllegalArgumentException(
                    "a PNG file has 1 or 3 channels; the images of the dataset have %d: write"
                                    .formatted(samples.channels())
                            + " --format json or safetensors");
        }
    }
}
