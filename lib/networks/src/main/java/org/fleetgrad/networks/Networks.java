package org.fleetgrad.networks;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.layer.WrongArgumentException;
import org.fleetgrad.protocol.NetworkTitle;

/** All available networks, by name, as data: the code that computes them is in lib/libtorch. Thread-safe. */
public final class Networks {

    /** The network of a run on images that names none. */
    public static final String DEFAULT_FOR_IMAGES = "lenet5";

    /** A. Karpathy's smallest recipe for one processor: learns to write like a megabyte of text in a few minutes. */
    private static final String DEFAULT_FOR_TEXT = "gpt2?layers=4&heads=4&width=128&dropout=0";

    private static final String DEFAULT_FOR_CLASSES_OF_TEXTS = "bert";

    private static final String DEFAULT_FOR_TABLES = "tabular";

    private static final String DEFAULT_FOR_SERIES = "series";

    private static final ConcurrentSkipListMap<String, NetworkFamily> FAMILIES = families();

    /** Digests of the jars that were added. */
    private static final Set<String> JARS = ConcurrentHashMap.newKeySet();

    private Networks() {}

    private static ConcurrentSkipListMap<String, NetworkFamily> families() {
        SortedMap<String, NetworkFamily> byName = new TreeMap<>();
        for (NetworkFamily family : List.of(new ExportedNetwork(), new LayersNetwork())) {
            family.names().forEach(name -> byName.put(name, family));
        }
        for (NetworkProvider provider : ServiceLoader.load(NetworkProvider.class, loader())) {
            for (NetworkFamily family : provider.families()) {
                for (String name : family.names()) {
                    NetworkFamily other = byName.put(name, family);
                    if (other != null) {
                        throw new IllegalStateException("two networks are called '%s': of %s and of %s"
                                .formatted(
                                        name,
                                        other.getClass().getName(),
                                        family.getClass().getName()));
                    }
                }
            }
        }
        return new ConcurrentSkipListMap<>(byName);
    }

    /**
     * Adds the networks of a jar to those of this program, until it ends. Each has the jar's name for it until a dataset fits it; then it
     * has a name that every program knows.
     *
     * @throws IllegalArgumentException if a network of one of its names is there
     */
    public static void add(NetworkJar jar) {
        if (JARS.contains(jar.sha256())) {
            return;
        }
        // Before any is added: of a jar that is refused, nothing stays.
        Set<String> names = new HashSet<>();
        for (String name : jar.names()) {
            boolean isFree = names.add(name) && !FAMILIES.containsKey(name);
            if (!isFree || !NetworkName.parse(name).arguments().isEmpty()) {
                throw new IllegalArgumentException("the network '%s' of %s needs another name, which no network has"
                        .formatted(name, jar.file().getFileName()));
            }
        }
        jar.families().forEach(family -> family.names().forEach(name -> FAMILIES.put(name, family)));
        JARS.add(jar.sha256());
    }

    /**
     * A jar that is loaded on top of the class path, such as the jar of an OpenWhisk action, is visible only to the thread's
     * context class loader.
     */
    private static ClassLoader loader() {
        ClassLoader own = NetworkProvider.class.getClassLoader();
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        for (ClassLoader each = ofThread; each != null; each = each.getParent()) {
            if (each.equals(own)) {
                return ofThread;
            }
        }
        return own;
    }

    /** Takes the networks of a jar out again, for tests, which share a program. */
    static void remove(NetworkJar jar) {
        JARS.remove(jar.sha256());
        jar.families().forEach(family -> family.names().forEach(name -> FAMILIES.remove(name, family)));
    }

    /** Returns the network of a run that names none. */
    public static String defaultFor(Task task) {
        if (task instanceof TextClassification) {
            return DEFAULT_FOR_CLASSES_OF_TEXTS;
        }
        if (task instanceof TableTask) {
            return DEFAULT_FOR_TABLES;
        }
        if (task instanceof SeriesTask) {
            return DEFAULT_FOR_SERIES;
        }
        return task instanceof LanguageModel ? DEFAULT_FOR_TEXT : DEFAULT_FOR_IMAGES;
    }

    /** Returns the names of all networks that have usual arguments, sorted, without these. */
    public static List<String> names() {
        return FAMILIES.entrySet().stream()
                .filter(family -> !family.getValue().isDefinedByArguments())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns whether only the arguments of a name say what its network is. */
    public static boolean isDefinedByArguments(String base) {
        return family(base).isDefinedByArguments();
    }

    /** Returns all networks with their usual images and classes, sorted by name. */
    public static List<NetworkSummary> listing() {
        return names().stream()
                .map(name -> new NetworkSummary(
                        name, family(name).describe(name), usual(name).spec()))
                .toList();
    }

    /**
     * Finds the network of a complete name, such as {@code lenet5?classes=10&input=1x28x28}.
     *
     * @throws IllegalArgumentException if there is no such network, with the list of networks; or if an argument is missing,
     *     unknown or wrong
     */
    public static NetworkDefinition named(String complete) {
        requireText(complete);
        NetworkName name = NetworkName.parse(complete);
        NetworkFamily family = family(name.base());
        Task task = family.usual(name).stated(name);
        for (String key : family.defaults(name.base(), task).keySet()) {
            if (name.argument(key).isEmpty()) {
                throw new IllegalArgumentException("the network '%s' does not say its %s; complete, it is '%s'"
                        .formatted(complete, key, completed(name, task)));
            }
        }
        return family.define(name);
    }

    /**
     * Checks a name that may omit what a dataset determines.
     *
     * @throws IllegalArgumentException if there is no such network, with the list of networks; or if an argument is unknown,
     *     with the list of arguments
     */
    public static void requireText(String text) {
        NetworkName name = NetworkName.parse(text);
        NetworkFamily family = family(name.base());
        requireKnown(name, family.usual(name));
    }

    /**
     * Checks a name and the values of its arguments, before there is a dataset.
     *
     * @throws IllegalArgumentException as {@link #requireText} does, or if no dataset could have a network of these arguments; the
     *     message has the argument, what it must be, and what it is
     */
    public static void requireArguments(String text) {
        requireText(text);
        NetworkName name = NetworkName.parse(text);
        Task usual = usualTask(name);
        NetworkName widest = name.argument(NetworkName.PADDING).isPresent()
                        && name.argument(NetworkName.VOCABULARY).isEmpty()
                ? name.with(NetworkName.VOCABULARY, Integer.toString(Task.MOST_TOKENS))
                : name;
        try {
            Object unused = named(completed(widest, usual).toString());
        } catch (WrongArgumentException wrong) {
            throw wrong;
        } catch (IllegalArgumentException unfit) {
            boolean isUpToTheDataset = usual.arguments().keySet().stream()
                    .anyMatch(key -> !key.equals(NetworkName.CLASSES)
                            && name.argument(key).isEmpty());
            if (!isUpToTheDataset) {
                throw unfit;
            }
        }
    }

    /**
     * Finds a network for a dataset, which determines what the text omits.
     *
     * @param text      such as {@code resnet18}, or {@code resnet18?stem=imagenet}
     * @param ofDataset the dataset's task; the network may have more classes
     * @throws IllegalArgumentException if there is no such network, if an argument is unknown or wrong, or if the network
     *     does not fit the dataset
     */
    public static NetworkDefinition named(String text, Task ofDataset) {
        NetworkName name = NetworkName.parse(text);
        Task usual = usualTask(name);
        if (!usual.getClass().equals(ofDataset.getClass())) {
            usual.requireFit(NetworkTitle.of(text), ofDataset);
        }
        NetworkName complete = completed(name, ofDataset);
        usual.stated(complete).requireFit(NetworkTitle.of(text), ofDataset);
        return named(complete.toString());
    }

    /** Finds a network for a dataset of images: see {@link #named(String, Task)}. */
    public static NetworkDefinition named(String text, List<Integer> image, int classes) {
        return named(text, new Task.ImageClassification(image, classes));
    }

    /**
     * Returns the task that a network usually solves; the arguments of the name may say of which kind it is.
     *
     * @throws IllegalArgumentException if there is no such network
     */
    public static Task usualTask(NetworkName name) {
        return family(name.base()).usual(name);
    }

    /**
     * Finds a network with its usual task, unless the text has another.
     *
     * @throws IllegalArgumentException if there is no such network, or an argument is unknown or wrong
     */
    public static NetworkDefinition usual(String text) {
        NetworkName name = NetworkName.parse(text);
        return named(completed(name, usualTask(name)).toString());
    }

    private static NetworkName completed(NetworkName name, Task task) {
        NetworkFamily family = family(name.base());
        requireKnown(name, task);
        NetworkName complete = with(name, task.completing(name));
        return with(complete, family.defaults(name.base(), task.stated(complete)));
    }

    private static NetworkName with(NetworkName name, SortedMap<String, String> values) {
        NetworkName complete = name;
        for (Map.Entry<String, String> open : values.entrySet()) {
            if (complete.argument(open.getKey()).isEmpty()) {
                complete = complete.with(open.getKey(), open.getValue());
            }
        }
        return complete;
    }

    private static void requireKnown(NetworkName name, Task task) {
        SortedSet<String> known =
                new TreeSet<>(family(name.base()).defaults(name.base(), task).keySet());
        known.addAll(task.keys());
        for (String key : name.arguments().keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("the network %s has no argument '%s'; its arguments are %s"
                        .formatted(name.base(), key, String.join(", ", known)));
            }
        }
    }

    private static NetworkFamily family(String base) {
        NetworkFamily family = FAMILIES.get(base);
        if (family == null) {
            throw new IllegalArgumentException(
                    "there is no network '%s'; the networks are %s".formatted(base, String.join(", ", names())));
        }
        return family;
    }

    /**
     * A network as a line of a list, with its usual images and classes.
     *
     * @param name        its own name, such as {@code resnet18}
     * @param description what it is
     * @param spec        its size and shapes
     */
    public record NetworkSummary(String name, String description, NetworkSpec spec) {

        /** Returns the megabytes of its parameter set, at 10^6 bytes. */
        public double megabytes() {
            return spec.layout().byteLength() / 1e6;
        }
    }
}
