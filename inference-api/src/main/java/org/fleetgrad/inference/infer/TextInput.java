package org.fleetgrad.inference.infer;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.texts.EncodedTexts;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The one input of a network for texts: the texts themselves. */
final class TextInput {

    private static final String NAME = InferInput.TEXT;

    private TextInput() {}

    /** Reads texts of [count] or [count, 1]. */
    static Images read(List<InferInput> inputs, SampleEncoding encoding, int most, SampleMemory.Lease memory) {
        InferInput input = InferInput.only(inputs, NAME);
        Datatype type = TensorValues.type(input, List.of(Datatype.BYTES));
        TensorValues.requireData(input);
        List<Long> shape = input.shape();
        if (!(shape.size() == 1 || (shape.size() == 2 && shape.get(1) == 1))) {
            throw InferReader.malformed(
                    "the input '%s' has the shape %s; the model takes [count]".formatted(NAME, shape));
        }
        String[] texts = new String[input.count(most)];
        TensorValues.read(input, type, texts.length, (index, value) -> texts[index] = text(index, value));
        return EncodedTexts.read(encoding, Arrays.asList(texts), memory);
    }

    private static String text(int index, @Nullable Object value) {
        if (value == null) {
            throw InferReader.malformed("value %d of the input '%s' is null".formatted(index, NAME));
        }
        return value instanceof JsonNode node ? node.asString() : (String) value;
    }
}
