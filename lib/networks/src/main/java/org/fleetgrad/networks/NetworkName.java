package org.fleetgrad.networks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.layer.WrongArgumentException;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.NetworkTitle;

/**
 * A network as text: {@code resnet18}, or with arguments {@code resnet18?classes=100&stem=imagenet}. Immutable.
 *
 * @param base      the network's own name
 * @param arguments by key, sorted
 */
public record NetworkName(String base, SortedMap<String, String> arguments) {

    /** The argument with the number of logits. */
    public static final String CLASSES = "classes";

    /** The argument with the shape of an image, such as {@code 3x32x32}, or of a series, such as {@code 2x128}. */
    public static final String INPUT = "input";

    /** The argument with the number of labels, each of which is yes or no. */
    public static final String LABELS = "labels";

    /** The argument with the loss of a number's prediction. */
    public static final String LOSS = "loss";

    /** The argument with the most tokens of a sample of text. */
    public static final String CONTEXT = "context";

    /** The argument with the number of tokens that there are. */
    public static final String VOCABULARY = "vocabulary";

    /** The argument with the number of the token that fills samples up. */
    public static final String PADDING = "padding";

    /** The arguments are possessive: otherwise each one that a long text has would take a frame of the stack. */
    private static final Pattern TEXT =
            Pattern.compile("([a-z][a-z0-9_-]*)(?:\\?([a-z]+=[A-Za-z0-9.,_-]+(?:&[a-z]+=[A-Za-z0-9.,_-]+)*+))?");

    private static final Pattern PROBABILITY = Pattern.compile("0(\\.\\d{1,6})?");
    private static final Pattern IMAGE = Pattern.compile("[1-9]\\d{0,4}(x[1-9]\\d{0,4}){2}");
    private static final Pattern SERIES = Pattern.compile("[1-9]\\d{0,6}x[1-9]\\d{0,6}");
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,8}");

    public NetworkName {
        arguments = Collections.unmodifiableSortedMap(new TreeMap<>(arguments));
    }

    /**
     * Reads a name; its arguments may be in any order.
     *
     * @throws IllegalArgumentException if the text is not a name, or has an argument twice
     */
    public static NetworkName parse(String text) {
        if (text.length() > MetadataKeys.MAX_NETWORK_LENGTH) {
            throw new IllegalArgumentException(
                    Printable.text("the name of a network has at most %,d characters; this has %,d: '%s'"
                            .formatted(MetadataKeys.MAX_NETWORK_LENGTH, text.length(), NetworkTitle.of(text))));
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(Printable.text(
                    "a network is a name such as resnet18, or one with arguments such as resnet18?classes=100&stem=cifar; it is '%s'"
                            .formatted(text)));
        }
        SortedMap<String, String> arguments = new TreeMap<>();
        if (matcher.group(2) != null) {
            for (String argument : matcher.group(2).split("&", -1)) {
                int equals = argument.indexOf('=');
                if (arguments.put(argument.substring(0, equals), argument.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("the network '%s' has the argument %s twice"
                            .formatted(text, argument.substring(0, equals)));
                }
            }
        }
        return new NetworkName(matcher.group(1), arguments);
    }

    /** Returns this name with one argument set. */
    public NetworkName with(String key, String value) {
        SortedMap<String, String> more = new TreeMap<>(arguments);
        more.put(key, value);
        return new NetworkName(base, more);
    }

    /** Returns the name without an argument; the dataset then decides about it. */
    public NetworkName without(String key) {
        SortedMap<String, String> others = new TreeMap<>(arguments);
        others.remove(key);
        return new NetworkName(base, others);
    }

    /** Returns the name without the numbers of classes and of labels; the dataset then decides about the head. */
    public NetworkName withoutHead() {
        return without(CLASSES).without(LABELS);
    }

    /** Returns an argument, if the name has it. */
    public Optional<String> argument(String key) {
        return Optional.ofNullable(arguments.get(key));
    }

    /**
     * Returns an argument that is a number from 1 to {@code most}.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public int number(String key, int most) {
        String text = required(key);
        if (!NUMBER.matcher(text).matches() || Integer.parseInt(text) > most) {
            throw new WrongArgumentException(
                    "%s of %s must be a number from 1 to %d; it is '%s'".formatted(key, base, most, text));
        }
        return Integer.parseInt(text);
    }

    /**
     * Returns an argument that is one or more numbers from 1 to {@code most}, such as {@code 128,64}.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public List<Integer> numbers(String key, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String text : required(key).split(",", -1)) {
            if (!NUMBER.matcher(text).matches() || Integer.parseInt(text) > most) {
                throw new WrongArgumentException("%s of %s must be numbers from 1 to %d, such as 128,64; it is '%s'"
                        .formatted(key, base, most, required(key)));
            }
            numbers.add(Integer.valueOf(text));
        }
        return numbers;
    }

    /**
     * Returns an argument that is a number from 0 to below {@code bound}.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public int index(String key, int bound) {
        String text = required(key);
        if (!text.equals("0") && (!NUMBER.matcher(text).matches() || Integer.parseInt(text) >= bound)) {
            throw new WrongArgumentException(
                    "%s of %s must be a number from 0 to %d; it is '%s'".formatted(key, base, bound - 1, text));
        }
        return Integer.parseInt(text);
    }

    /**
     * Returns an argument that is a probability, from 0 to below 1.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public float probability(String key) {
        String text = required(key);
        if (!PROBABILITY.matcher(text).matches()) {
            throw new WrongArgumentException(
                    "%s of %s must be a decimal from 0 to below 1; it is '%s'".formatted(key, base, text));
        }
        return Float.parseFloat(text);
    }

    /**
     * Returns an argument that is one of {@code words}.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public String choice(String key, List<String> words) {
        String text = required(key);
        if (!words.contains(text)) {
            throw new WrongArgumentException(
                    "%s of %s must be %s; it is '%s'".formatted(key, base, String.join(" or ", words), text));
        }
        return text;
    }

    /**
     * Returns an argument that is {@code yes} or {@code no}.
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public boolean isYes(String key) {
        return choice(key, List.of("yes", "no")).equals("yes");
    }

    /** Returns the number of logits. */
    public int classes() {
        return number(CLASSES, Task.MOST_CLASSES);
    }

    /** Returns the shape of one image: [channels, height, width]. */
    public List<Integer> input() {
        return shape(IMAGE, "channels, height and width, such as 3x32x32");
    }

    /**
     * Returns the shape of one series: [channels, length].
     *
     * @throws IllegalArgumentException if it is missing or something else
     */
    public List<Integer> series() {
        return shape(SERIES, "channels and length, such as 2x128");
    }

    private List<Integer> shape(Pattern form, String meaning) {
        String text = required(INPUT);
        if (!form.matcher(text).matches()) {
            throw new WrongArgumentException("%s of %s must be %s; it is '%s'".formatted(INPUT, base, meaning, text));
        }
        return Arrays.stream(text.split("x", -1)).map(Integer::valueOf).toList();
    }

    /** Writes a shape as an argument. */
    static String shape(List<Integer> shape) {
        return shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
    }

    private String required(String key) {
        return argument(key)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the network '%s' does not say its %s; write %s?%s=...".formatted(this, key, base, key)));
    }

    /** Writes the name, its arguments sorted by key. */
    @Override
    public String toString() {
        return arguments.isEmpty()
                ? base
                : arguments.entrySet().stream()
                        .map(argument -> argument.getKey() + "=" + argument.getValue())
                        .collect(Collectors.joining("&", base + "?", ""));
    }
}
