package org.fleetgrad.worker.action;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.Credentials.KeySetting;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.files.text.ShownAddress;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.worker.training.Learning;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import tools.jackson.databind.JsonNode;

/**
 * The parameters of an activation. The first six are those of the original design, with its names and defaults.
 *
 * @param learning       {@code batch_sz_train}, {@code update_intv}, {@code clip_norm},
 *     {@code label_smoothing}, {@code class_weights}, {@code sampling}, {@code augment} and {@code seed}: how gradients are computed
 * @param epochs         {@code epoch_n}: passes over the shard
 * @param servers        {@code apihost}: the parameter server, or several with commas between them
 * @param firstEpoch     {@code epoch_first}: number of the first pass, which decides the order of its samples
 * @param datasetUrl     {@code dataset_url}: the shard; absent with {@code shards} {@code queue}: then the server assigns
 *     shards
 * @param shardLimit     {@code shard_n}: maximum number of shards to take from the server; 0 for as many as there is time for
 * @param workWait       {@code work_wait}: with {@code shards} {@code queue}, the maximum seconds to wait if the server has no
 *     work yet
 * @param device         {@code device}: {@code cpu}, {@code gpu} or {@code cuda:0}
 * @param network        {@code network}: what to train if the server has no parameters yet; otherwise it must agree with the
 *     network that they name
 * @param worker         {@code worker}: the id to register under; if absent, the server generates one
 * @param credentials    {@code access_key} and {@code secret_key}: sent to the server, if it requires keys
 * @param transfer       {@code encoding}, {@code pull_encoding} and {@code overlap}: how gradients and parameters are
 *     transferred
 * @param deadline       when the activation will be killed, epoch milliseconds
 */
public record RunParameters(
        Learning learning,
        int epochs,
        int firstEpoch,
        ServerAddresses servers,
        Optional<String> datasetUrl,
        int shardLimit,
        int workWait,
        String device,
        Optional<String> network,
        Optional<String> worker,
        Optional<Credentials> credentials,
        Transfer transfer,
        OptionalLong deadline) {

    private static final int LARGEST_BATCH = 65_536;
    private static final int MOST = 1_000_000;
    private static final double LARGEST_NORM = 1e9;
    private static final double MOST_SMOOTHING = 0.99;

    /**
     * Reads the parameters of a {@code /run} body; ignores members that it does not know.
     *
     * @throws IllegalArgumentException when one is missing or wrong; the message names it
     */
    public static RunParameters parse(JsonNode body) {
        JsonNode value = body.path("value");
        if (value.isArray()) {
            // The arguments are an array if the previous action of a sequence returned an array.
            throw new IllegalArgumentException(
                    "the arguments must be an object; they are an array of %d".formatted(value.size()));
        }
        return new RunParameters(
                learning(value),
                wholeNumber(value, "epoch_n", 8, 1, MOST),
                wholeNumber(value, "epoch_first", 0, 0, MOST),
                ServerAddresses.parse("apihost", required(value, "apihost")),
                datasetUrl(value),
                wholeNumber(value, "shard_n", 0, 0, MOST),
                wholeNumber(value, "work_wait", 0, 0, MOST),
                text(value, "device").orElse("cpu"),
                network(value),
                text(value, "worker"),
                Credentials.of(key(value, "access_key"), key(value, "secret_key")),
                transfer(value),
                // OpenWhisk sends it as a string, though its documentation says a number.
                integer(body.path("deadline")));
    }

    private static Learning learning(JsonNode value) {
        return new Learning(
                wholeNumber(value, "batch_sz_train", 32, 1, LARGEST_BATCH),
                wholeNumber(value, "update_intv", 8, 1, MOST),
                decimal(value, "clip_norm", 0, LARGEST_NORM),
                decimal(value, "label_smoothing", 0, MOST_SMOOTHING),
                classWeights(value),
                sampling(value),
                augmentation(value),
                wholeNumber(value, "seed", 0, 0, Integer.MAX_VALUE));
    }

    private static ClassWeights classWeights(JsonNode value) {
        Optional<String> weights = text(value, "class_weights");
        try {
            return weights.map(ClassWeights::parse).orElse(ClassWeights.EQUAL);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("class_weights: " + wrong.getMessage(), wrong);
        }
    }

    private static Sampling sampling(JsonNode value) {
        String word = text(value, "sampling").orElse(Sampling.SHUFFLED.word());
        return Sampling.named(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        "sampling must be %s; it is '%s'".formatted(String.join(" or ", Sampling.words()), word)));
    }

    private static Augmentation augmentation(JsonNode value) {
        String label = text(value, "augment").orElse(Augmentation.NONE.label());
        return Augmentation.named(label)
                .orElseThrow(() -> new IllegalArgumentException(
                        "augment must be %s; it is '%s'".formatted(String.join(" or ", Augmentation.labels()), label)));
    }

    private static Optional<String> network(JsonNode value) {
        Optional<String> network = text(value, "network");
        network.ifPresent(Networks::requireText);
        return network;
    }

    private static double decimal(JsonNode value, String name, double smallest, double largest) {
        Optional<JsonNode> given = member(value, name);
        if (given.isEmpty()) {
            return smallest;
        }
        String text = unquoted(given.get());
        double number = text.matches("[-+]?\\d{1,9}(\\.\\d{1,17})?([eE][-+]?\\d{1,2})?")
                ? Double.parseDouble(text)
                : Double.NaN;
        if (!(number >= smallest && number <= largest)) {
            throw new IllegalArgumentException(
                    "%s must be a number from %s to %s; it is %s".formatted(name, smallest, largest, given.get()));
        }
        return number;
    }

    private static Optional<JsonNode> member(JsonNode value, String name) {
        JsonNode node = value.path(name);
        return node.isMissingNode() || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    /** Returns a value as text: the wsk command line passes quoted numbers as strings. */
    private static String unquoted(JsonNode node) {
        return node.isString() ? node.asString().strip() : node.toString();
    }

    private static Optional<String> datasetUrl(JsonNode value) {
        Optional<String> shards = text(value, "shards");
        Optional<String> url = text(value, "dataset_url");
        if (shards.isEmpty()) {
            return Optional.of(required(value, "dataset_url"));
        }
        if (!shards.get().equals("queue")) {
            throw new IllegalArgumentException(
                    "shards must be \"queue\", or be left out and dataset_url given; it is \"%s\""
                            .formatted(shards.get()));
        }
        if (url.isPresent()) {
            throw new IllegalArgumentException(
                    "shards is \"queue\" and dataset_url is given: the server assigns other shards; leave one of them out");
        }
        return Optional.empty();
    }

    private static int wholeNumber(JsonNode value, String name, int absent, int smallest, int largest) {
        Optional<JsonNode> given = member(value, name);
        if (given.isEmpty()) {
            return absent;
        }
        OptionalLong number = integer(given.get());
        if (number.isEmpty() || number.getAsLong() < smallest || number.getAsLong() > largest) {
            throw new IllegalArgumentException("%s must be a whole number from %d to %d; it is %s"
                    .formatted(name, smallest, largest, given.get()));
        }
        return (int) number.getAsLong();
    }

    /** Reads an integer; empty if it is none, or has more than 18 digits. */
    private static OptionalLong integer(JsonNode node) {
        String text = unquoted(node);
        return text.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static String required(JsonNode value, String name) {
        return text(value, name)
                .orElseThrow(() -> new IllegalArgumentException("the parameter %s is missing".formatted(name)));
    }

    private static Optional<String> text(JsonNode value, String name) {
        Optional<JsonNode> given = member(value, name);
        if (given.isPresent()
                && (!given.get().isString() || given.get().asString().isBlank())) {
            // A list of presigned addresses, say.
            throw new IllegalArgumentException("%s must be a text; it is %s"
                    .formatted(name, ShownAddress.of(given.get().toString())));
        }
        return given.map(node -> node.asString().strip());
    }

    private static Transfer transfer(JsonNode value) {
        return new Transfer(
                encoding(value, "encoding", Encodings::parse).orElse(Encodings.PLAIN),
                encoding(value, "pull_encoding", Encodings::parseOfParameters).orElse(Encodings.PLAIN),
                isTrue(value, "overlap"));
    }

    private static <E extends Encoding> Optional<E> encoding(JsonNode value, String name, Function<String, E> parse) {
        Optional<String> text = text(value, name);
        try {
            return text.map(parse);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(name + ": " + unknown.getMessage(), unknown);
        }
    }

    private static boolean isTrue(JsonNode value, String name) {
        String text = member(value, name).map(RunParameters::unquoted).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("%s must be true or false; it is %s".formatted(name, value.path(name)));
        }
        return text.equals("true");
    }

    /** Like a string, but the message does not quote it: a wrong value may be close to a real key. */
    private static KeySetting key(JsonNode value, String name) {
        Optional<JsonNode> given = member(value, name);
        if (given.isPresent() && !given.get().isString()) {
            throw new IllegalArgumentException("%s must be a text; put it in quotes".formatted(name));
        }
        return KeySetting.inPlace(name, given.map(JsonNode::asString).orElse(null));
    }
}
