package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableReading;

/** A table: a file, or a folder of files with the same columns. It is one only if the user names the target. */
record TableReader() implements DatasetReader {

    @Override
    public String layout() {
        return "a table, with --target COLUMN: a .csv or .tsv file in UTF-8, plain or .gz, whose first line names the columns, a .parquet"
                + " file, or a folder of such files; test.csv or val.csv is held out, or a tenth of the rows";
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return files.stream().anyMatch(file -> TableReading.isTable(Path.of(file)));
    }

    @Override
    public boolean holdsOut() {
        return true;
    }

    @Override
    public Dataset read(Path source, String name, FolderOptions options) throws IOException {
        return TableReading.read(source, name, options.table(), options.holdOut(), options.preparation());
    }
}
