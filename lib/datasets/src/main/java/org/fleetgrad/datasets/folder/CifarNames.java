package org.fleetgrad.datasets.folder;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.cifar.CifarFormat;

/**
 * The files of a folder that have records of a format, by their names.
 *
 * @param format     the format
 * @param official   those under official names, plain or gzipped
 * @param others     those under other names
 * @param hasArchive whether the published archive is there
 */
record CifarNames(CifarFormat format, List<String> official, List<String> others, boolean hasArchive) {

    private static final String PLAIN = ".bin";
    private static final String GZIPPED = ".bin.gz";

    static CifarNames of(CifarFormat format, Collection<String> files) {
        List<String> official = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String file : files.stream().sorted().toList()) {
            if (isOfficial(format, file)) {
                official.add(file);
            } else if (isRecords(file)
                    && !isOfficial(CifarFormat.CIFAR10, file)
                    && !isOfficial(CifarFormat.CIFAR100, file)
                    && (format == CifarFormat.CIFAR100) == file.matches("(?i).*cifar-?100.*")) {
                others.add(file);
            }
        }
        return new CifarNames(format, official, others, files.contains(format.archive()));
    }

    private static boolean isOfficial(CifarFormat format, String file) {
        String plain = plain(file);
        return format.trainFiles().contains(plain) || format.testFile().equals(plain);
    }

    private static boolean isRecords(String file) {
        return (file.endsWith(PLAIN) || file.endsWith(GZIPPED)) && (isTrain(file) || isTest(file));
    }

    private static boolean isTrain(String file) {
        return file.toLowerCase(Locale.ROOT).contains("train");
    }

    private static boolean isTest(String file) {
        return file.toLowerCase(Locale.ROOT).contains("test");
    }

    private static String plain(String file) {
        return file.endsWith(GZIPPED) ? file.substring(0, file.length() - GZIPPED.length()) + PLAIN : file;
    }

    boolean isRecognized() {
        return hasRecords() || hasArchive;
    }

    /** Returns whether there are files of records, which take precedence over the archive. */
    boolean hasRecords() {
        return !official.isEmpty() || !others.isEmpty();
    }

    List<String> train(Path folder) throws NoSuchFileException, InvalidDatasetException {
        return split(folder, format.trainFiles(), "train");
    }

    List<String> test(Path folder) throws NoSuchFileException, InvalidDatasetException {
        return split(folder, List.of(format.testFile()), "test");
    }

    /** Either all official files, or all others of the split; never both, which would be a guess. */
    private List<String> split(Path folder, List<String> wanted, String split)
            throws NoSuchFileException, InvalidDatasetException {
        if (!official.isEmpty() && !others.isEmpty()) {
            throw new InvalidDatasetException(
                    "%s has records under official names, %s, and under others, %s; remove one of them"
                            .formatted(folder, official, others));
        }
        for (String other : others) {
            if (isTrain(other) && isTest(other)) {
                throw new InvalidDatasetException(
                        "%s has both train and test in its name; rename it".formatted(folder.resolve(other)));
            }
        }
        List<String> found = others.isEmpty()
                ? official.stream().filter(file -> wanted.contains(plain(file))).toList()
                : others.stream()
                        .filter(file -> file.toLowerCase(Locale.ROOT).contains(split))
                        .toList();
        TreeMap<String, String> byPlainName = new TreeMap<>();
        for (String file : found) {
            String twin = byPlainName.put(plain(file), file);
            if (twin != null) {
                throw new InvalidDatasetException(
                        "%s has the same records twice, %s and %s; remove one of them".formatted(folder, twin, file));
            }
        }
        List<String> missing = others.isEmpty()
                ? wanted.stream().filter(name -> !byPlainName.containsKey(name)).toList()
                : found.isEmpty() ? List.of("*" + split + "*.bin") : List.of();
        if (!missing.isEmpty()) {
            throw new NoSuchFileException(
                    folder.toString(),
                    null,
                    "it lacks %s (.bin or .bin.gz) of %s".formatted(missing, format.datasetName()));
        }
        return List.copyOf(byPlainName.values());
    }
}
