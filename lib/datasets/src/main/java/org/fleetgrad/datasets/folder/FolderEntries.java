package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

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
