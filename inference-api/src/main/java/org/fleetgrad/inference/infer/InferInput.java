package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;
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
public record InferInput(String name, String datatype, List<Long> shape, Content content) {

    /** The name of an input that has whole samples. */
    static final String WHOLE = "input";

    /** The name of the input of a network for texts. */
    static final String TEXT = "text";

    public InferInput {
        shape = List.copyOf(shape);
    }

    /** Where the values are. */
    public sealed interface Content {}

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
    public record Json(JsonNode data) implements Content {}

    /** Bytes after the JSON. */
    public record Binary(ByteBuffer data) implements Content {}

    /**
     * Nowhere.
     *
     * @param following bytes after the JSON
     */
    public record None(int following) implements Content {}

    /**
     * Values of the datatype that the input states: numbers, texts, true or false.
     *
     * @param count how many
     * @param at    returns each
     */
    public record Values(int count, IntFunction<Object> at) implements Content {}
}
