package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.List;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import tools.jackson.databind.JsonNode;

/**
 * An input of a request, as the request states it: what it must be depends on the model.
 *
 * @param datatype such as FP32
 * @param shape    its sizes
 * @param content  its values
 */
record InferInput(String name, String datatype, List<Long> shape, Content content) {

    /** The name of an input that has whole samples. */
    static final String WHOLE = "input";

    /** The name of the input of a network for texts. */
    static final String TEXT = "text";

    InferInput {
        shape = List.copyOf(shape);
    }

    /** Where the values are. */
    sealed interface Content {}

    /** Returns the one input of a request, which has a name. */
    static InferInput only(List<InferInput> inputs, String name) {
        if (inputs.size() > 1) {
            throw InferReader.malformed("the input is '%s'; the request has %d inputs".formatted(name, inputs.size()));
        }
        InferInput input = inputs.get(0);
        if (!input.name().equals(name)) {
            throw InferReader.malformed(
                    "there is no input '%s'; the input is '%s'".formatted(Printable.text(input.name()), name));
        }
        return input;
    }

    /**
     * Returns the number of samples, the first of its sizes.
     *
     * @param most maximum samples of a request
     */
    int count(int most) {
        long count = shape.get(0);
        if (count < 1) {
            throw InferReader.malformed("the input '%s' has the shape %s; a request has 1 sample or more"
                    .formatted(Printable.text(name), shape));
        }
        if (count > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY, "the request has %d samples; the limit is %d".formatted(count, most));
        }
        return Math.toIntExact(count);
    }

    /** JSON values, flat or nested. */
    record Json(JsonNode data) implements Content {}

    /** Bytes after the JSON. */
    record Binary(ByteBuffer data) implements Content {}

    /**
     * Nowhere.
     *
     * @param following bytes after the JSON
     */
    record None(int following) implements Content {}
}
