package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.Dataset.DatasetName;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.datasets.array.SeriesReading;
import org.fleetgrad.datasets.cifar.CifarFormat;
import org.fleetgrad.datasets.folder.DatasetReader.IdxReader;
import org.fleetgrad.datasets.folder.DatasetReader.SvhnReader;
import org.fleetgrad.datasets.image.ImageOptions;
import org.fleetgrad.datasets.image.NetworkInput;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.datasets.table.TableReading;

/** Reads the dataset in a folder; the names of its files determine its kind. */
public final class DatasetFolder {

    private static final ArrayReader ARRAYS = new ArrayReader();

    private static final List<DatasetReader> READERS = List.of(
            new IdxReader(),
            new CifarReader(CifarFormat.CIFAR10),
            new CifarReader(CifarFormat.CIFAR100),
            new SvhnReader(),
            ARRAYS,
            new ImageClassesReader());

    private static final ImageTableReader IMAGE_TABLE = new ImageTableReader();

    /** Texts may lie beside the files of any other kind, so they are looked for last. */
    private static final CsvReader CSV = new CsvReader();

    private static final TextReader TEXTS = new TextReader();

    private static final TableReader TABLES = new TableReader();

    private DatasetFolder() {}

    /**
     * Reads a folder. The name is the user's; else that of {@link NameFile}; else that of the kind, such as {@code cifar10};
     * else the folder's own. Nothing is guessed from the number of samples.
     *
     * @throws NoSuchFileException if there is no such folder, or it has no supported files, or a file is missing
     * @throws InvalidDatasetException if there are two kinds, or a file breaks its format, or nothing names the dataset
     */
    public static Dataset read(Path folder, FolderOptions options) throws IOException {
        requireKnown(folder);
        DatasetReader reader = !options.table().targets().isEmpty()
                ? ofTarget(folder)
                : Files.isRegularFile(folder) ? ofFile(folder) : reader(folder);
        if (!reader.hasTexts() && options.tokenizer().isPresent()) {
            throw new InvalidDatasetException("%s: a tokenizer (--tokenizer %s) is for texts; this is %s"
                    .formatted(folder, options.tokenizer().get(), reader.layout()));
        }
        if (options.imageSize().isPresent() && !reader.resizes()) {
            throw new InvalidDatasetException(
                    "%s: an image size (--image-size %d) is for folders of PNG and JPEG images; this is %s"
                            .formatted(folder, options.imageSize().getAsInt(), reader.layout()));
        }
        if (options.images().skipsBroken() && !reader.resizes()) {
            throw new InvalidDatasetException(
                    "%s: broken files can be left out (--skip-broken) of PNG and JPEG images; this is %s"
                            .formatted(folder, reader.layout()));
        }
        if (options.holdOut().isPresent() && !reader.holdsOut()) {
            throw new InvalidDatasetException(
                    "%s: a share to hold out (--hold-out %s) is for images, texts with labels, tables and arrays; this is %s"
                            .formatted(folder, options.holdOut().getAsDouble(), reader.layout()));
        }
        String name = name(folder, reader, options);
        try {
            return reader.read(folder, name, options);
        } catch (IllegalArgumentException unfit) {
            throw new InvalidDatasetException("%s: %s".formatted(folder, unfit.getMessage()), unfit);
        }
    }

    /** Returns whether a file is one of texts, of rows or of arrays, by its name. */
    public static boolean isFile(Path file) {
        return TextReader.isText(file)
                || CsvReader.isCsv(file)
                || TableReading.isTable(file)
                || SeriesReading.isArchive(file);
    }

    /** A file of another format is refused with what makes one of it that is read, whatever the other options say. */
    private static void requireKnown(Path source) throws NoSuchFileException {
        Optional<String> other =
                Files.isRegularFile(source) && !isFile(source) ? OtherFormat.explain(source) : Optional.empty();
        if (other.isPresent()) {
            throw new NoSuchFileException(source.toString(), null, other.get());
        }
    }

    /** A target is a column of a table, unless there are only arrays. */
    private static DatasetReader ofTarget(Path source) throws IOException {
        if (!Files.isDirectory(source)) {
            return SeriesReading.isArchive(source) ? ARRAYS : TABLES;
        }
        FolderEntries entries = FolderEntries.of(source);
        boolean isTable = TABLES.recognizes(entries.files(), entries.folders());
        return !isTable && ARRAYS.recognizes(entries.files(), entries.folders()) ? ARRAYS : TABLES;
    }

    private static DatasetReader ofFile(Path file) throws NoSuchFileException {
        if (TextReader.isText(file)) {
            return TEXTS;
        }
        if (CsvReader.isCsv(file)) {
            return ImageTableReader.isTable(file) ? IMAGE_TABLE : CSV;
        }
        if (SeriesReading.isArchive(file)) {
            return ARRAYS;
        }
        throw new NoSuchFileException(
                file.toString(),
                null,
                "it is not a folder, and neither a .txt nor a .csv nor a .csv.gz nor a .npz nor a .safetensors file, nor, with --target COLUMN, a .tsv, .tsv.gz or .parquet file");
    }

    private static DatasetReader reader(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString(), null, "there is no such folder or file");
        }
        FolderEntries entries = FolderEntries.of(folder);
        List<DatasetReader> fitting = READERS.stream()
                .filter(reader -> reader.recognizes(entries.files(), entries.folders()))
                .toList();
        boolean areImages = fitting.stream().allMatch(DatasetReader::resizes);
        if (areImages && !ImageTableReader.tables(folder).isEmpty()) {
            return IMAGE_TABLE;
        }
        if (fitting.isEmpty()) {
            return other(folder, entries);
        }
        if (fitting.size() > 1) {
            throw new InvalidDatasetException("%s has files of %d kinds of datasets, one at a time is read:%s"
                    .formatted(folder, fitting.size(), list(fitting)));
        }
        return fitting.get(0);
    }

    /** Returns the reader of a folder whose names alone do not say what it has. */
    private static DatasetReader other(Path folder, FolderEntries entries) throws IOException {
        long classes = ImageClassesReader.countClasses(folder);
        if (classes > 1) {
            return new ImageClassesReader();
        }
        if (CSV.recognizes(entries.files(), entries.folders())) {
            return CSV;
        }
        if (TEXTS.recognizes(entries.files(), entries.folders())) {
            return TEXTS;
        }
        if (classes == 1) {
            return new ImageClassesReader();
        }
        throw new NoSuchFileException(
                folder.toString(),
                null,
                "no dataset is in it; understood are"
                        + list(READERS)
                        + list(List.of(IMAGE_TABLE, CSV, TEXTS, TABLES))
                        + OtherFormat.explain(folder, entries.files())
                                .map(text -> "\n" + text)
                                .orElse(""));
    }

    private static String list(List<DatasetReader> readers) {
        return readers.stream().map(reader -> "\n  " + reader.layout()).collect(Collectors.joining());
    }

    private static String name(Path folder, DatasetReader reader, FolderOptions options) throws IOException {
        Optional<String> said = options.name();
        if (said.isPresent()) {
            return said.get();
        }
        Optional<String> known =
                Files.isDirectory(folder) ? NameFile.read(folder).or(reader::ownName) : Optional.empty();
        if (known.isPresent()) {
            return known.get();
        }
        Path last = folder.toAbsolutePath().normalize().getFileName();
        String own = last == null
                ? ""
                : last.toString().replaceFirst("\\.(txt|npz|safetensors|parquet|(csv|tsv)(\\.gz)?)$", "");
        if (!DatasetName.isValid(own)) {
            throw new InvalidDatasetException(
                    "%s: the folder's name '%s' cannot be the dataset's name; name it, such as --dataset-name %s"
                            .formatted(folder, own, DatasetName.resembling(own)));
        }
        return own;
    }

    /**
     * The user's options for a folder.
     *
     * @param name      the dataset's name; if it is absent, the folder's files decide
     * @param imageSize rows and columns to which the images of an image folder are resized; if it is absent, the images' one size,
     *     or a size that fits the network or the images
     * @param tokenizer of a text: {@code characters}, {@code bytes}, {@code gpt2}, or a {@code tokenizer.json}; if it is absent, the
     *     {@code tokenizer.json} of the folder, else characters, unless the text has more than 256 different ones: then bytes
     * @param context   tokens of a sample of a text; if it is absent, {@link TextReader#USUAL_CONTEXT}, or {@link
     *     CsvReader#USUAL_CONTEXT} of texts with labels
     * @param table     target and columns of a table; without a target, files are not read as a table
     * @param holdOut   share of each class that is held out if there are no held-out samples; if it is absent, a tenth
     * @param pictures  those of images in files
     * @param preparation where it is prepared, and who watches
     */
    public record FolderOptions(
            Optional<String> name,
            OptionalInt imageSize,
            Optional<String> tokenizer,
            OptionalInt context,
            TableOptions table,
            OptionalDouble holdOut,
            PictureOptions pictures,
            Preparation preparation) {

        /** No options. */
        public static final FolderOptions NONE = new FolderOptions(Optional.empty(), OptionalInt.empty());

        /** Makes options without those of texts. */
        public FolderOptions(Optional<String> name, OptionalInt imageSize) {
            this(name, imageSize, Optional.empty(), OptionalInt.empty());
        }

        /** Makes options of what is prepared in the usual place. */
        public FolderOptions(
                Optional<String> name,
                OptionalInt imageSize,
                Optional<String> tokenizer,
                OptionalInt context,
                TableOptions table,
                OptionalDouble holdOut,
                PictureOptions pictures) {
            this(name, imageSize, tokenizer, context, table, holdOut, pictures, Preparation.USUAL);
        }

        /** Returns these options with another place, or another watcher. */
        public FolderOptions preparedBy(Preparation other) {
            return new FolderOptions(name, imageSize, tokenizer, context, table, holdOut, pictures, other);
        }

        /** Makes options without those of tables and of images in files. */
        public FolderOptions(
                Optional<String> name, OptionalInt imageSize, Optional<String> tokenizer, OptionalInt context) {
            this(name, imageSize, tokenizer, context, TableOptions.NONE, OptionalDouble.empty(), PictureOptions.NONE);
        }

        /** Returns these options with those of a table. */
        public FolderOptions withTable(TableOptions options) {
            return new FolderOptions(name, imageSize, tokenizer, context, options, holdOut, pictures, preparation);
        }

        /** Returns these options with another default of the context, for a folder of texts. */
        public FolderOptions withContext(int defaultContext) {
            return context.isPresent()
                    ? this
                    : new FolderOptions(
                            name,
                            imageSize,
                            tokenizer,
                            OptionalInt.of(defaultContext),
                            table,
                            holdOut,
                            pictures,
                            preparation);
        }

        /** Returns these options with another default of the tokenizer, for a folder of texts. */
        public FolderOptions withTokenizer(String defaultTokenizer) {
            return tokenizer.isPresent()
                    ? this
                    : new FolderOptions(
                            name,
                            imageSize,
                            Optional.of(defaultTokenizer),
                            context,
                            table,
                            holdOut,
                            pictures,
                            preparation);
        }

        /** Returns these options for the network of a run, to whose input images of other sizes are brought. */
        public FolderOptions withNetwork(NetworkInput input) {
            return new FolderOptions(
                    name,
                    imageSize,
                    tokenizer,
                    context,
                    table,
                    holdOut,
                    new PictureOptions(pictures.skipsBroken(), Optional.of(input)),
                    preparation);
        }

        /** Returns those of these options that are about images. */
        ImageOptions images() {
            return new ImageOptions(imageSize, pictures.network(), holdOut, pictures.skipsBroken());
        }

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if the name may not be a dataset's, or the size is not positive
         */
        public FolderOptions {
            name.ifPresent(DatasetName::require);
            if (imageSize.isPresent() && imageSize.getAsInt() < 1) {
                throw new IllegalArgumentException(
                        "an image size must be 1 or more pixels; it is " + imageSize.getAsInt());
            }
            if (context.isPresent() && context.getAsInt() < 1) {
                throw new IllegalArgumentException("a context must be 1 or more tokens; it is " + context.getAsInt());
            }
            if (holdOut.isPresent() && !(holdOut.getAsDouble() > 0 && holdOut.getAsDouble() < 1)) {
                throw new IllegalArgumentException(
                        "a share to hold out must be above 0 and below 1; it is " + holdOut.getAsDouble());
            }
        }
    }

    /**
     * The options of images in files that are no numbers.
     *
     * @param skipsBroken whether files that cannot be read are left out, instead of refusing all
     * @param network     what the run's network takes, if there is a run
     */
    public record PictureOptions(boolean skipsBroken, Optional<NetworkInput> network) {

        /** No options. */
        public static final PictureOptions NONE = new PictureOptions(false, Optional.empty());
    }

    /**
     * The direct entries of a folder.
     *
     * @param files   names of its files
     * @param folders names of its folders
     */
    record FolderEntries(Set<String> files, Set<String> folders) {

        static FolderEntries of(Path folder) throws IOException {
            Set<String> files = new HashSet<>();
            Set<String> folders = new HashSet<>();
            try (Stream<Path> entries = Files.list(folder)) {
                entries.forEach(entry -> (Files.isDirectory(entry) ? folders : files)
                        .add(entry.getFileName().toString()));
            }
            return new FolderEntries(files, folders);
        }
    }
}
