package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.shard.ShardSet;

/** Cuts a table into shards, as a program of its own that a test can kill. */
public final class PreparingProgram {

    private PreparingProgram() {}

    /** Takes the table, the folder and the number of shards; prints a line for each shard. */
    public static void main(String[] arguments) throws IOException {
        TableDataset table = TestTables.read(Path.of(arguments[0]), "y");
        ShardSet.write(
                Path.of(arguments[1]),
                table,
                Integer.parseInt(arguments[2]),
                table.schema(),
                (file, written, total) -> System.out.println(written));
    }
}
