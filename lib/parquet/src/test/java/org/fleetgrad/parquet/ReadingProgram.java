package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.datasets.InvalidDatasetException;

/** Reads tables, as a program of its own with a heap of its own. */
public final class ReadingProgram {

    private ReadingProgram() {}

    /** Takes files; prints a line for each. */
    public static void main(String[] files) throws IOException {
        for (String file : files) {
            try {
                System.out.println(ParquetFiles.read(Path.of(file), "y").schema());
            } catch (InvalidDatasetException refused) {
                System.out.println("refused: " + refused.getMessage());
            }
        }
    }
}
