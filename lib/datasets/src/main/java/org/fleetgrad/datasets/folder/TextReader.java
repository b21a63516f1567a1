package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.text.Tokenizer;

/**
 * Texts: one file, or a folder of them. {@code test.txt} or {@code val.txt} is held out; without one, the last tenth of the text.
 * Files with a name in capitals, such as {@code README.txt} and {@code SOURCE.txt}, are about the data and not part of it.
 */
record TextReader() implements DatasetReader {

    /** Tokens of a sample that nobody set. */
    static final int USUAL_CONTEXT = 64;

    private static final String SUFFIX = ".txt";
    private static final Set<String> HELD_OUT = Set.of("test.txt", "val.txt", "valid.txt", "validation.txt");
    private static final int HELD_OUT_SHARE = 10;
    private static final long MOST_BYTES = 1 << 27;

    @Override
    public String layout() {
        return "texts: one or more .txt files in UTF-8, of which test.txt or val.txt is held out, or the last tenth of all";
    }

    /** Returns whether a file is a text. */
    static boolean isText(Path file) {
        Path name = file.getFileName();
        return name != null && name.toString().endsWith(SUFFIX);
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return files.stream().anyMatch(TextReader::isPart);
    }

    private static boolean isPart(String file) {
        String stem = file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : "";
        return !stem.isEmpty() && !stem.equals(stem.toUpperCase(Locale.ROOT)) && !file.equals(NameFile.FILE_NAME);
    }

    @Override
    public boolean hasTexts() {
        return true;
    }

    @Override
    public Dataset read(Path source, String name, FolderOptions options) throws IOException {
        String training;
        String heldOut;
        if (Files.isRegularFile(source)) {
            training = text(List.of(source));
            heldOut = "";
        } else {
            List<Path> files = files(source);
            List<Path> own = files.stream()
                    .filter(file -> HELD_OUT.contains(file.getFileName().toString()))
                    .toList();
            if (own.size() > 1) {
                throw new InvalidDatasetException(
                        "%s: several files are held out, one at a time can be: %s".formatted(source, own));
            }
            training = text(files.stream().filter(file -> !own.contains(file)).toList());
            heldOut = text(own);
        }
        if (training.isEmpty()) {
            throw new InvalidDatasetException("%s: there is no text to train on".formatted(source));
        }
        String all = training + heldOut;
        Tokenizer tokenizer = WantedTokenizer.of(options.tokenizer(), source).forText(() -> all);
        if (heldOut.isEmpty()) {
            int cut = training.length() - training.length() / HELD_OUT_SHARE;
            // Not between the two halves of a character.
            cut += cut < training.length() && Character.isLowSurrogate(training.charAt(cut)) ? 1 : 0;
            heldOut = training.substring(cut);
            training = training.substring(0, cut);
        }
        TextSchema schema = new TextSchema(tokenizer, options.context().orElse(USUAL_CONTEXT));
        return TextDataset.of(name, schema, training, heldOut);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(file -> Files.isRegularFile(file)
                            && isPart(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    private static String text(List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        if (bytes > MOST_BYTES) {
            throw new InvalidDatasetException("the %d files of a text have %d bytes; the most is %d: %s"
                    .formatted(
                            files.size(),
                            bytes,
                            MOST_BYTES,
                            files.stream().map(Path::toString).collect(Collectors.joining(", "))));
        }
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(decoded(file));
        }
        return text.toString();
    }

    private static CharBuffer decoded(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Utf8.decode(file, in.readNBytes((int) MOST_BYTES), at -> "");
        }
    }
}
