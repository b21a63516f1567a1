package org.fleetgrad.datasets.array;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;

/**
 * The arrays of a dataset by their names: members of a {@code .npz} file, tensors of a {@code .safetensors} file, or {@code .npy} files
 * of a folder.
 */
final class ArrayFiles implements Closeable {

    static final List<String> INPUTS = List.of("x", "inputs", "x_train");
    static final List<String> TARGETS = List.of("y", "targets", "y_train");
    static final List<String> TEST_INPUTS = List.of("x_test", "inputs_test");
    static final List<String> TEST_TARGETS = List.of("y_test", "targets_test");

    private static final String NPY = ".npy";
    private static final String NPZ = ".npz";
    private static final int MOST_MEMBERS = 1000;

    private final Path source;
    private final NavigableMap<String, ArraySource> arrays;
    private final Optional<ZipFile> zip;

    private ArrayFiles(Path source, NavigableMap<String, ArraySource> arrays, Optional<ZipFile> zip) {
        this.source = source;
        this.arrays = Collections.unmodifiableNavigableMap(arrays);
        this.zip = zip;
    }

    /** Returns whether a file has arrays, by its name. */
    static boolean isArchive(Path file) {
        return isNpz(file) || isTensorFile(file);
    }

    private static boolean isNpz(Path file) {
        return file.toString().endsWith(NPZ);
    }

    private static boolean isTensorFile(Path file) {
        return file.toString().endsWith(TensorFile.SUFFIX);
    }

    /** Returns whether a folder of such files has arrays. A {@code .safetensors} file in a folder may be a model. */
    static boolean areArrays(Set<String> files) {
        return files.stream().anyMatch(file -> file.endsWith(NPZ))
                || Stream.of(INPUTS, TARGETS, TEST_INPUTS, TEST_TARGETS)
                        .flatMap(List::stream)
                        .anyMatch(name -> files.contains(name + NPY));
    }

    /**
     * Opens a file or a folder.
     *
     * @throws NoSuchFileException     if there are no arrays
     * @throws InvalidDatasetException if there is more than one archive, or it is broken
     */
    static ArrayFiles open(Path source) throws IOException {
        if (!Files.isDirectory(source)) {
            return isTensorFile(source)
                    ? new ArrayFiles(source, bounded(source, TensorFile.arrays(source)), Optional.empty())
                    : ofArchive(source);
        }
        NavigableMap<String, ArraySource> arrays = new TreeMap<>();
        List<Path> archives = new ArrayList<>();
        try (Stream<Path> entries = Files.list(source)) {
            for (Path file : entries.filter(Files::isRegularFile).sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(NPY)) {
                    arrays.put(name.substring(0, name.length() - NPY.length()), ArraySource.OfFile.of(file));
                } else if (isNpz(file)) {
                    archives.add(file);
                }
            }
        }
        if (archives.size() + (arrays.isEmpty() ? 0 : 1) > 1) {
            throw new InvalidDatasetException(
                    "%s: arrays are in one .npz file, or in .npy files; there are %s and %d .npy files"
                            .formatted(source, archives, arrays.size()));
        }
        return archives.isEmpty() ? new ArrayFiles(source, arrays, Optional.empty()) : ofArchive(archives.get(0));
    }

    private static ArrayFiles ofArchive(Path file) throws IOException {
        try {
            ZipFile zip = new ZipFile(file.toFile());
            try {
                return new ArrayFiles(file, members(file, zip), Optional.of(zip));
            } catch (IOException | RuntimeException failed) {
                zip.close();
                throw failed;
            }
        } catch (ZipException | EOFException broken) {
            throw new InvalidDatasetException(
                    "%s: it is no zip file, as .npz files are, or it is broken: %s"
                            .formatted(file, broken.getMessage()),
                    broken);
        }
    }

    private static NavigableMap<String, ArraySource> bounded(Path file, NavigableMap<String, ArraySource> tensors)
            throws InvalidDatasetException {
        requireFew(file, tensors.size());
        return tensors;
    }

    private static void requireFew(Path file, int members) throws InvalidDatasetException {
        if (members > MOST_MEMBERS) {
            throw new InvalidDatasetException(
                    "%s: it has %,d arrays; the most is %,d".formatted(file, members, MOST_MEMBERS));
        }
    }

    private static NavigableMap<String, ArraySource> members(Path file, ZipFile zip) throws InvalidDatasetException {
        requireFew(file, zip.size());
        NavigableMap<String, ArraySource> arrays = new TreeMap<>();
        for (ZipEntry member : Collections.list(zip.entries())) {
            String name = member.getName();
            if (name.endsWith(NPY)
                    && arrays.put(
                                    name.substring(0, name.length() - NPY.length()),
                                    new ArraySource.OfMember(file, zip, member))
                            != null) {
                throw new InvalidDatasetException(
                        "%s: the member '%s' is there twice".formatted(file, Printable.text(name)));
            }
        }
        return arrays;
    }

    /**
     * Opens the array of one of some names.
     *
     * @throws NoSuchFileException     if there is none
     * @throws InvalidDatasetException if there are two, or it breaks the format
     */
    Map.Entry<String, NpyArray> required(List<String> names) throws IOException {
        return optional(names)
                .orElseThrow(() -> new NoSuchFileException(
                        source.toString(),
                        null,
                        "no array is called %s; the arrays are %s"
                                .formatted(
                                        String.join(" or ", names),
                                        Printable.text(arrays.keySet().toString()))));
    }

    /**
     * Opens the array of one of some names, if there is one.
     *
     * @throws InvalidDatasetException if there are two, or it breaks the format
     */
    Optional<Map.Entry<String, NpyArray>> optional(List<String> names) throws IOException {
        List<String> present = names.stream().filter(arrays::containsKey).toList();
        if (present.size() > 1) {
            throw new InvalidDatasetException(
                    "%s: the arrays %s could be meant; keep one".formatted(source, String.join(" and ", present)));
        }
        if (present.isEmpty()) {
            return Optional.empty();
        }
        String name = present.get(0);
        ArraySource array = arrays.get(name);
        if (array == null) {
            throw new IllegalStateException("no array " + name);
        }
        return Optional.of(Map.entry(name, array.array()));
    }

    /** Returns the names of arrays that are neither inputs nor targets. */
    List<String> others() {
        return arrays.keySet().stream()
                .filter(name ->
                        Stream.of(INPUTS, TARGETS, TEST_INPUTS, TEST_TARGETS).noneMatch(names -> names.contains(name)))
                .toList();
    }

    @Override
    public void close() throws IOException {
        if (zip.isPresent()) {
            zip.get().close();
        }
    }
}
