package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.Dataset.DatasetName;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.AtomicFile;

/** The file {@code dataset-name.txt}, which has the name of the dataset in its folder. The download writes it. */
public final class NameFile {

    /** The file's name. */
    public static final String FILE_NAME = "dataset-name.txt";

    private static final int MAX_BYTES = 256;

    private NameFile() {}

    /** Writes the name of the dataset in {@code folder}. */
    public static void write(Path folder, String name) throws IOException {
        DatasetName.require(name);
        AtomicFile.write(folder.resolve(FILE_NAME), (name + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the name, if there is such a file.
     *
     * @throws InvalidDatasetException if the file contains anything but a valid name
     */
    public static Optional<String> read(Path folder) throws IOException {
        Path file = folder.resolve(FILE_NAME);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES);
        }
        String name = new String(bytes, StandardCharsets.UTF_8).strip();
        if (!DatasetName.isValid(name)) {
            throw new InvalidDatasetException(
                    "%s must hold the dataset's name alone, 1 to 100 letters, digits, '.', '-' and '_'; correct or delete it"
                            .formatted(file));
        }
        return Optional.of(name);
    }
}
