package org.fleetgrad.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableOptions;

/** Files of tables for tests; {@code write.py} beside them wrote them. */
final class ParquetFiles {

    private ParquetFiles() {}

    /** Returns the bytes of a file. */
    static byte[] bytes(String name) throws IOException {
        try (InputStream in = ParquetFiles.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    /** Writes a file into a folder, under another name. */
    static Path write(Path folder, String name, String as) throws IOException {
        return Files.write(folder.resolve(as), bytes(name));
    }

    /** Reads a table as a user would. */
    static TableDataset read(Path source, String target, String... drop) throws IOException {
        TableOptions options = TableOptions.of(List.of(target), List.of(), List.of(drop));
        return (TableDataset) DatasetFolder.read(source, FolderOptions.NONE.withTable(options));
    }
}
