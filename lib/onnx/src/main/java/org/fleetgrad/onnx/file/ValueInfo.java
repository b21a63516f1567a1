package org.fleetgrad.onnx.file;

import java.util.List;

/**
 * An input or an output of a model.
 *
 * @param name        unique among all inputs and outputs
 * @param type        of the values
 * @param shape       each side a number, or a word if it is free
 * @param description for people
 */
public record ValueInfo(String name, ElementType type, List<String> shape, String description) {

    private static final int NAME = 1;
    private static final int TYPE = 2;
    private static final int DOC_STRING = 3;

    private static final int TENSOR_TYPE = 1;
    private static final int ELEMENT_TYPE = 1;
    private static final int SHAPE = 2;
    private static final int DIMENSION = 1;
    private static final int DIMENSION_VALUE = 1;
    private static final int DIMENSION_WORD = 2;

    public ValueInfo {
        shape = List.copyOf(shape);
    }

    ProtobufMessage message() {
        ProtobufMessage sides = new ProtobufMessage();
        for (String side : shape) {
            boolean isNumber = side.chars().allMatch(Character::isDigit);
            sides.message(
                    DIMENSION,
                    isNumber
                            ? new ProtobufMessage().integer(DIMENSION_VALUE, Long.parseLong(side))
                            : new ProtobufMessage().text(DIMENSION_WORD, side));
        }
        ProtobufMessage tensor =
                new ProtobufMessage().integer(ELEMENT_TYPE, type.number()).message(SHAPE, sides);
        return new ProtobufMessage()
                .text(NAME, name)
                .message(TYPE, new ProtobufMessage().message(TENSOR_TYPE, tensor))
                .text(DOC_STRING, description);
    }
}
