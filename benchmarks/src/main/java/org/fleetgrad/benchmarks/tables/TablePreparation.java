package org.fleetgrad.benchmarks.tables;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.table.TableOptions;

/**
 * Prepares a generated table of numbers, words and dates, and beside it only reads the lines of the same file, in the same JVM with one
 * thread each. The file was just written, so neither waits for the disk.
 */
public record TablePreparation(Workbench bench) {

    private static final int ROWS = 1_000_000;
    private static final int NUMBERS = 7;
    private static final int CITIES = 2_000;
    private static final int DAYS = 28;
    private static final int SHARDS = 100;
    private static final double NANOS = 1e9;

    /** Returns rows a second of reading and encoding, and of these with writing shards. */
    public List<Figure> measure() throws Exception {
        Path folder = bench.scratch("tables");
        Path table = folder.resolve("rows.csv");
        bench.progress("tables: generating %,d rows", ROWS);
        generate(table);
        FolderOptions options = FolderOptions.NONE.withTable(TableOptions.of(List.of("y"), List.of(), List.of()));
        Comparison<String> rates = bench.compare(List.of("read", "prepare", "lines"), what -> {
            bench.progress("tables: %s", what);
            long begin = System.nanoTime();
            if (what.equals("lines")) {
                readLines(table);
            } else {
                Dataset dataset = DatasetFolder.read(table, options);
                if (what.equals("prepare")) {
                    ShardSet.write(folder.resolve("shards"), dataset, SHARDS);
                }
            }
            return ROWS * NANOS / (System.nanoTime() - begin);
        });
        String rival = "reading the file's lines once, Files.newBufferedReader";
        return List.of(
                Figure.of(
                                "table-read",
                                "a table of 1 million rows of 11 columns (101 MB), read three times and encoded")
                        .ours(rates.of("read"), "rows/s")
                        .rival(rates.of("lines"), rival),
                Figure.of("table-prepare", "the same with 100 shards written")
                        .ours(rates.of("prepare"), "rows/s")
                        .rival(rates.of("lines"), rival));
    }

    private static void readLines(Path table) throws IOException {
        long characters = 0;
        try (BufferedReader lines = Files.newBufferedReader(table)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                characters += line.length();
            }
        }
        if (characters < ROWS) {
            throw new IllegalStateException("%s has %,d characters".formatted(table, characters));
        }
    }

    private static void generate(Path table) throws IOException {
        Random random = new Random(1);
        try (Writer out = Files.newBufferedWriter(table)) {
            out.write("a,b,c,d,e,f,g,word,city,day,y\n");
            for (int row = 0; row < ROWS; row++) {
                StringBuilder line = new StringBuilder();
                double sum = 0;
                for (int i = 0; i < NUMBERS; i++) {
                    double value = random.nextGaussian();
                    sum += value;
                    line.append(String.format(Locale.ROOT, "%.6f,", value));
                }
                line.append("word%d,city%04d,2023-05-%02d,"
                        .formatted(random.nextInt(NUMBERS), random.nextInt(CITIES), 1 + random.nextInt(DAYS)));
                out.write(line.append(String.format(Locale.ROOT, "%.5f\n", sum)).toString());
            }
        }
    }
}
