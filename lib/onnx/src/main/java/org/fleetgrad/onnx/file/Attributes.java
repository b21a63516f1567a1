package org.fleetgrad.onnx.file;

import java.util.ArrayList;
import java.util.List;

/** The attributes of a node. Not thread-safe. */
public final class Attributes {

    private static final int NAME = 1;
    private static final int REAL = 2;
    private static final int INTEGER = 3;
    private static final int TEXT = 4;
    private static final int INTEGERS = 8;
    private static final int TEXTS = 9;
    private static final int TYPE = 20;

    private static final int TYPE_REAL = 1;
    private static final int TYPE_INTEGER = 2;
    private static final int TYPE_TEXT = 3;
    private static final int TYPE_INTEGERS = 7;
    private static final int TYPE_TEXTS = 8;

    private final List<ProtobufMessage> all = new ArrayList<>();

    /** Returns no attributes, to which others can be added. */
    public static Attributes none() {
        return new Attributes();
    }

    /** Adds a whole number. */
    public Attributes with(String name, long value) {
        return add(name, TYPE_INTEGER, new ProtobufMessage().integer(INTEGER, value));
    }

    /** Adds a number, as float32. */
    public Attributes withReal(String name, double value) {
        return add(name, TYPE_REAL, new ProtobufMessage().real(REAL, (float) value));
    }

    /** Adds a text. */
    public Attributes with(String name, String value) {
        return add(name, TYPE_TEXT, new ProtobufMessage().text(TEXT, value));
    }

    /** Adds whole numbers. */
    public Attributes with(String name, long... values) {
        ProtobufMessage message = new ProtobufMessage();
        for (long value : values) {
            message.integer(INTEGERS, value);
        }
        return add(name, TYPE_INTEGERS, message);
    }

    /** Adds texts. */
    public Attributes withTexts(String name, List<String> values) {
        ProtobufMessage message = new ProtobufMessage();
        values.forEach(value -> message.text(TEXTS, value));
        return add(name, TYPE_TEXTS, message);
    }

    private Attributes add(String name, int type, ProtobufMessage message) {
        all.add(message.text(NAME, name).integer(TYPE, type));
        return this;
    }

    List<ProtobufMessage> messages() {
        return List.copyOf(all);
    }
}
