package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/**
 * Opens Parquet files. A program that reads tables has an implementation on its class path, which {@code ServiceLoader} finds; a
 * program that reads shards needs none.
 */
public interface ParquetLibrary {

    /**
     * Opens a file before its first row.
     *
     * @param bytesRead is told the number of bytes of each reading
     * @throws org.fleetgrad.datasets.InvalidDatasetException if it breaks the format
     */
    TableRows open(Path file, LongConsumer bytesRead) throws IOException;
}
