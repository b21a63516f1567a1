package org.fleetgrad.inference.infer;

import java.nio.ByteBuffer;
import java.util.List;
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

    InferInput {
        shape = List.copyOf(shape);
    }

    /** Where the values are. */
    sealed interface Content {}

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
