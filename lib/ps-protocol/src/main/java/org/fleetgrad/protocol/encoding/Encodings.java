package org.fleetgrad.protocol.encoding;

import java.util.List;
import java.util.Map;
import org.fleetgrad.files.text.Printable;

/** All encodings, and their names as text. */
public final class Encodings {

    /** Names of the encodings for gradients. */
    public static final List<String> OF_GRADIENTS =
            List.of(Float32.NAME, Float16.NAME, BFloat16.NAME, Int8.NAME, TopK.NAME, TwoBit.NAME, Rows.NAME);

    /** Names of the encodings for parameters. */
    public static final List<String> OF_PARAMETERS = List.of(Float32.NAME, Float16.NAME, BFloat16.NAME, Int8.NAME);

    /** Values as they are. */
    public static final ParameterEncoding PLAIN = new Float32();

    private static final String DECIMAL = "\\d{1,10}(\\.\\d{1,40})?([eE]-?\\d{1,2})?";

    private Encodings() {}

    /**
     * Reads a name, with its parameter after a colon if it has one: {@code f32}, {@code f16}, {@code bf16}, {@code i8}
     * (or {@code i8:BLOCK}), {@code topk} (or {@code topk:RATIO}), {@code 2bit} (or {@code 2bit:THRESHOLD}), {@code rows}.
     *
     * @throws IllegalArgumentException for anything else; the message lists the encodings
     */
    public static Encoding parse(String text) {
        int colon = text.indexOf(':');
        String name = nameIn(text);
        String parameter = colon < 0 ? "" : text.substring(colon + 1);
        boolean isBare = colon < 0;
        return switch (name) {
            case Float32.NAME -> bare(text, isBare, PLAIN);
            case Float16.NAME -> bare(text, isBare, new Float16());
            case BFloat16.NAME -> bare(text, isBare, new BFloat16());
            case Int8.NAME -> isBare ? new Int8(Int8.BLOCK) : new Int8((int) number(text, parameter, "\\d{1,6}"));
            case TopK.NAME -> isBare ? new TopK(TopK.RATIO) : new TopK(number(text, parameter, DECIMAL));
            case TwoBit.NAME ->
                isBare ? new TwoBit(TwoBit.THRESHOLD) : new TwoBit((float) number(text, parameter, DECIMAL));
            case Rows.NAME -> bare(text, isBare, new Rows());
            default ->
                throw new IllegalArgumentException(Printable.text(
                        "there is no encoding '%s'; there are %s".formatted(text, String.join(", ", OF_GRADIENTS))));
        };
    }

    /**
     * Reads the name of an encoding for parameters.
     *
     * @throws IllegalArgumentException for anything else; the message lists the encodings
     */
    public static ParameterEncoding parseOfParameters(String text) {
        if (OF_PARAMETERS.contains(text) && parse(text) instanceof ParameterEncoding encoding) {
            return encoding;
        }
        throw new IllegalArgumentException(Printable.text(
                "parameters travel as %s; not as '%s'".formatted(String.join(", ", OF_PARAMETERS), text)));
    }

    /** Returns the encoding that a file's metadata names; {@code f32} if it names none. */
    public static String textIn(Map<String, String> metadata) {
        return metadata.getOrDefault(Encoding.METADATA_KEY, Float32.NAME);
    }

    /** Returns the name without its parameter. */
    public static String nameIn(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    private static <E extends Encoding> E bare(String text, boolean isBare, E encoding) {
        if (!isBare) {
            throw new IllegalArgumentException(
                    Printable.text("the encoding %s has no parameter; it is '%s'".formatted(encoding.name(), text)));
        }
        return encoding;
    }

    private static double number(String text, String parameter, String form) {
        if (!parameter.matches(form)) {
            throw new IllegalArgumentException(Printable.text(
                    "the parameter of an encoding must be a number, as in i8:%d, topk:%s, 2bit:%s; it is '%s'"
                            .formatted(Int8.BLOCK, TopK.RATIO, TwoBit.THRESHOLD, text)));
        }
        return Double.parseDouble(parameter);
    }
}
