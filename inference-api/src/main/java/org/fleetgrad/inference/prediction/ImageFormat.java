package org.fleetgrad.inference.prediction;

/** The file formats that can be classified. */
public enum ImageFormat {
    /** image/png. */
    PNG("image/png"),
    /** image/jpeg. */
    JPEG("image/jpeg");

    private final String mediaType;

    ImageFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the media type. */
    public String mediaType() {
        return mediaType;
    }
}
