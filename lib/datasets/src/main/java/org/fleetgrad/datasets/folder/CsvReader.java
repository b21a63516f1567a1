package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.LabelledTextDataset;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.sampling.StratifiedSplit;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.datasets.text.Tokenizer;

/**
 * Texts with labels: a CSV file, or a folder with one. {@code test.csv} or {@code val.csv} is held out; without one, a tenth of the
 * texts of each class, the same each time. The training texts are in random order, the same each time: a file may be sorted by
 * its labels, and a worker trains on one shard after the other.
 */
record CsvReader() implements DatasetReader {

    /** Tokens of a sample that nobody set. */
    static final int USUAL_CONTEXT = 128;

    private static final Set<String> HELD_OUT = Set.of("test", "val", "valid", "validation");
    private static final String SUFFIX = "\\.csv(\\.gz)?";
    private static final long MOST_TOKENS = 1 << 28;

    @Override
    public String layout() {
        return "texts with labels: a .csv or .csv.gz file in UTF-8 whose first line names the columns label and text; test.csv or val.csv is held out, or a tenth of each class";
    }

    /** Returns whether a file is one of texts with labels. */
    static boolean isCsv(Path file) {
        Path name = file.getFileName();
        return name != null && name.toString().matches("(?s).+" + SUFFIX);
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return files.stream().anyMatch(file -> isCsv(Path.of(file)));
    }

    @Override
    public boolean hasTexts() {
        return true;
    }

    @Override
    public boolean holdsOut() {
        return true;
    }

    @Override
    public Dataset read(Path source, String name, FolderOptions options) throws IOException {
        List<Path> all = Files.isRegularFile(source) ? List.of(source) : files(source);
        Parts parts = Parts.of(source, all);
        requireNoHoldOut(parts, options);
        CsvTexts train = CsvTexts.read(parts.training(), CsvTexts.TEXT);
        Optional<CsvTexts> test = parts.heldOut().isEmpty()
                ? Optional.empty()
                : Optional.of(CsvTexts.read(parts.heldOut().get(), CsvTexts.TEXT));
        List<String> classes = classes(train, test);
        Tokenizer tokenizer = WantedTokenizer.of(options.tokenizer(), source).forText(() -> joined(train, test));
        SampleEncoding encoding = new SampleEncoding(
                tokenizer, options.context().orElse(USUAL_CONTEXT), SampleEncoding.paddingOf(tokenizer));
        LabelledTextSchema schema = new LabelledTextSchema(encoding, classes);
        EncodedTexts encoded = EncodedTexts.of(train, schema);
        Optional<EncodedTexts> own =
                test.isPresent() ? Optional.of(EncodedTexts.of(test.get(), schema)) : Optional.empty();
        double share = test.isPresent() ? 0 : options.holdOut().orElse(StratifiedSplit.USUAL_SHARE);
        StratifiedSplit split = StratifiedSplit.of(encoded.labels(), classes.size(), share);
        if (own.isEmpty() && split.heldOut().length == 0) {
            throw new InvalidDatasetException(
                    "%s: each of the %d classes has one text, so none can be held out: add texts, or a test.csv"
                            .formatted(parts.training(), classes.size()));
        }
        LabelledTexts held = own.isPresent()
                ? own.get().samples(IntStream.range(0, own.get().count()).toArray())
                : encoded.samples(split.heldOut());
        return new LabelledTextDataset(
                name,
                schema,
                encoded.samples(split.training()),
                held,
                EncodedTexts.notes(
                        Stream.concat(Stream.of(encoded), own.stream()).toList(), encoding.context()));
    }

    /** Refuses a share to hold out beside held-out samples. */
    static void requireNoHoldOut(Parts parts, FolderOptions options) throws InvalidDatasetException {
        if (parts.heldOut().isPresent() && options.holdOut().isPresent()) {
            throw new InvalidDatasetException(
                    "%s is held out, so nothing of %s is: leave out --hold-out, or move %s away"
                            .formatted(
                                    parts.heldOut().get(),
                                    parts.training(),
                                    parts.heldOut().get()));
        }
    }

    static void requireRoom(long texts, int context) {
        if (texts * context > MOST_TOKENS) {
            throw new IllegalArgumentException("%d texts of %d tokens are %d tokens; the most is %d: shorten --context"
                    .formatted(texts, context, texts * context, MOST_TOKENS));
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> Files.isRegularFile(file) && isCsv(file))
                    .sorted()
                    .toList();
        }
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst(SUFFIX + "$", "");
    }

    /** Returns the labels, sorted. */
    static List<String> classes(CsvTexts train, Optional<CsvTexts> test) throws InvalidDatasetException {
        Set<String> classes = new TreeSet<>(train.labels());
        if (classes.size() < 2) {
            throw new InvalidDatasetException(
                    "%s: all %d rows have the label '%s'; a classifier needs 2 classes or more"
                            .formatted(
                                    train.file(),
                                    train.texts().size(),
                                    classes.iterator().next()));
        }
        if (test.isPresent()) {
            for (int i = 0; i < test.get().labels().size(); i++) {
                String label = test.get().labels().get(i);
                if (!classes.contains(label)) {
                    throw new InvalidDatasetException(
                            "%s: line %d has the label '%s', which is none of the %d classes of %s"
                                    .formatted(
                                            test.get().file(),
                                            test.get().lines().get(i),
                                            label,
                                            classes.size(),
                                            train.file()));
                }
            }
        }
        return List.copyOf(classes);
    }

    private static String joined(CsvTexts train, Optional<CsvTexts> test) {
        return Stream.concat(train.texts().stream(), test.stream().flatMap(texts -> texts.texts().stream()))
                .collect(Collectors.joining());
    }

    /**
     * Which of several files is trained on, and which is held out.
     *
     * @param training the one that is trained on
     * @param heldOut  the one that is held out, if there is one
     */
    record Parts(Path training, Optional<Path> heldOut) {

        /** @throws InvalidDatasetException if it is not one, or one and a held-out one */
        static Parts of(Path source, List<Path> all) throws InvalidDatasetException {
            List<Path> heldOut = all.size() == 1
                    ? List.of()
                    : all.stream().filter(file -> HELD_OUT.contains(stem(file))).toList();
            List<Path> training =
                    all.stream().filter(file -> !heldOut.contains(file)).toList();
            if (training.size() != 1 || heldOut.size() > 1) {
                throw new InvalidDatasetException(
                        "%s: one .csv file is trained on, and one called test.csv or val.csv may be held out; there are %d and %d: %s"
                                .formatted(source, training.size(), heldOut.size(), all));
            }
            return new Parts(training.get(0), heldOut.stream().findFirst());
        }
    }
}
