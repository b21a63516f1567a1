package org.fleetgrad.protocol;

/**
 * The metadata keys of a parameter set that say what it is for. Every version carries them, so its reader needs no
 * settings of its own.
 */
public final class MetadataKeys {

    /** The network as one string, such as {@code resnet18?classes=10&input=3x32x32&stem=cifar}. */
    public static final String NETWORK = "network";

    /**
     * Most characters of {@link #NETWORK}. Each registration repeats it, and that of a table has a number for each column with an
     * embedding.
     */
    public static final int MAX_NETWORK_LENGTH = 16_384;

    /** The dataset's name. */
    public static final String DATASET = "dataset";

    /** The names of the classes, in the order of the logits: a JSON array. */
    public static final String CLASSES = "classes";

    /** The scaling of the pixels: a JSON object with {@code mean} and {@code std}, one number for each channel. */
    public static final String NORMALIZATION = "normalization";

    /** The tokenizer of a text: {@code bytes}, {@code gpt2}, or {@code characters:} and the alphabet. */
    public static final String TOKENIZER = "tokenizer";

    /** The columns of a table, and its target: a JSON object. */
    public static final String TABLE = "table";

    /** The length and the channels of series, and their target: a JSON object. */
    public static final String SERIES = "series";

    /** The seed of the initial values. */
    public static final String SEED = "seed";

    private MetadataKeys() {}
}
