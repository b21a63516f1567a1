package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that the pandas of this machine writes now, in each of its ways. */
@Tag("whole")
class PandasTest {

    private static final String SCRIPT = """
            import os, sys, pandas as pd
            table = pd.read_csv(sys.argv[1])
            table.to_csv(sys.argv[2] + "/diamonds.csv", index=False)
            for codec in "snappy", "gzip", "zstd", "lz4", None:
                for page in "1.0", "2.0":
                    os.mkdir(f"{sys.argv[2]}/{codec}-{page}")
                    table.to_parquet(f"{sys.argv[2]}/{codec}-{page}/diamonds.parquet", compression=codec,
                                     data_page_version=page, row_group_size=20000)
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldMakeTheShardsOfTheCsvOfEachCodec() throws IOException {
        Path diamonds = SharedData.require("data/tabular/diamonds.csv.gz");
        Object unused = Python.runWithPandas(SCRIPT, diamonds.toString(), folder.toString());
        for (String codec : new String[] {"snappy", "gzip", "zstd", "lz4", "None"}) {
            for (String page : new String[] {"1.0", "2.0"}) {
                SameTables.requireSame(
                        ParquetFiles.read(folder.resolve("%s-%s/diamonds.parquet".formatted(codec, page)), "price"),
                        ParquetFiles.read(folder.resolve("diamonds.csv"), "price"),
                        folder);
            }
        }
    }
}
