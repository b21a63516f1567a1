package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.cifar.CifarArchive;
import org.fleetgrad.datasets.cifar.CifarFiles;
import org.fleetgrad.datasets.cifar.CifarFormat;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderEntries;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;

/**
 * CIFAR-10 or CIFAR-100: the published archive, its files, or files of complete records under other names.
 *
 * @param format the format of the records
 */
record CifarReader(CifarFormat format) implements DatasetReader {

    private static final int LONGEST_CLASSES_FILE = 1 << 16;

    @Override
    public String layout() {
        String official = format == CifarFormat.CIFAR10
                ? "data_batch_1.bin to data_batch_5.bin, test_batch.bin"
                : "train.bin, test.bin";
        String others =
                format == CifarFormat.CIFAR10 ? "*train*.bin, *test*.bin" : "*cifar100*train*.bin, *cifar100*test*.bin";
        return "%s: %s; or %s; or %s; .bin or .bin.gz, of records of %d bytes"
                .formatted(format.datasetName(), format.archive(), official, others, format.recordBytes());
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return CifarNames.of(format, files).isRecognized();
    }

    @Override
    public Optional<String> ownName() {
        return Optional.of(format.datasetName());
    }

    @Override
    public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
        CifarNames names = CifarNames.of(format, FolderEntries.of(folder).files());
        List<String> classes = classes(folder.resolve(format.classesFile()));
        if (names.hasRecords()) {
            return new ImageDataset(
                    name,
                    classes,
                    CifarFiles.read(format, paths(folder, names.train(folder))),
                    CifarFiles.read(format, paths(folder, names.test(folder))));
        }
        CifarArchive archive = new CifarArchive(format, folder.resolve(format.archive()));
        return new ImageDataset(name, classes, archive.train(), archive.test());
    }

    private static List<Path> paths(Path folder, List<String> names) {
        return names.stream().map(folder::resolve).toList();
    }

    /** Reads the names of the classes beside the records; without the file, the published names. */
    private List<String> classes(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return format.classes();
        }
        if (Files.size(file) > LONGEST_CLASSES_FILE) {
            throw new InvalidDatasetException("%s has %d bytes, the limit for names of classes is %d"
                    .formatted(file, Files.size(file), LONGEST_CLASSES_FILE));
        }
        List<String> names = Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (names.size() != format.classes().size()) {
            throw new InvalidDatasetException("%s names %d classes, %s has %d"
                    .formatted(
                            file,
                            names.size(),
                            format.datasetName(),
                            format.classes().size()));
        }
        return names;
    }
}
