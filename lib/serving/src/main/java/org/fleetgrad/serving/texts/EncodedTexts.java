package org.fleetgrad.serving.texts;

import java.util.List;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/** Makes samples of texts. */
public final class EncodedTexts {

    /** A tokenizer takes much more time for a text than the rest of its request. */
    private static final int MOST_CHARACTERS = 1 << 20;

    private EncodedTexts() {}

    /**
     * Encodes texts.
     *
     * @param memory of the request
     * @throws InvalidImagesException if the tokenizer cannot encode one of them, or there is no memory for them
     */
    public static Images read(SampleEncoding encoding, List<String> texts, SampleMemory.Lease memory) {
        long characters = texts.stream().mapToLong(String::length).sum();
        if (characters > MOST_CHARACTERS) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY,
                    "the texts of the request have %d characters, the limit is %d: send fewer in a request"
                            .formatted(characters, MOST_CHARACTERS));
        }
        int context = encoding.context();
        float[] samples = memory.floats(texts.size(), context);
        for (int i = 0; i < texts.size(); i++) {
            int[] tokens = encoded(encoding, i, texts.get(i));
            for (int j = 0; j < context; j++) {
                samples[i * context + j] = tokens[j];
            }
        }
        return Images.ofTexts(encoding, samples);
    }

    private static int[] encoded(SampleEncoding encoding, int index, String text) {
        try {
            return encoding.encode(text).tokens();
        } catch (IllegalArgumentException unfit) {
            throw new InvalidImagesException(
                    Rule.MALFORMED, "text %d cannot be read: %s".formatted(index, unfit.getMessage()), unfit);
        }
    }
}
