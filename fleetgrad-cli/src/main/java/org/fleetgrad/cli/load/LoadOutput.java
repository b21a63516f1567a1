package org.fleetgrad.cli.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.load.result.CsvFile;
import org.fleetgrad.load.result.LoadJson;
import org.fleetgrad.load.result.LoadPicture;
import org.fleetgrad.load.result.LoadResult;
import org.fleetgrad.load.result.LoadRow;
import org.fleetgrad.load.result.LoadTable;
import org.fleetgrad.reports.chart.ChartFiles;
import org.fleetgrad.runs.output.RunFailedException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the output of the result, and its files. */
final class LoadOutput {

    @Option(names = "--json", description = "Print the result as JSON: one object, the last line of stdout")
    private boolean json;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write a row for each request to this file")
    private @Nullable Path csv;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write to this folder: requests.csv, result.json, load.svg and load.png, the accuracy and"
                    + " latency over time")
    private @Nullable Path folder;

    private final List<CsvFile> files = new ArrayList<>();

    /** Opens the files of rows, so that a wrong path fails before the first request. */
    Consumer<LoadRow> open() throws RunFailedException {
        try {
            if (folder != null) {
                Files.createDirectories(folder);
                files.add(CsvFile.create(folder.resolve("requests.csv")));
            }
            if (csv != null) {
                files.add(CsvFile.create(csv));
            }
        } catch (IOException unwritable) {
            throw RunFailedException.input("the result cannot be written: " + unwritable);
        }
        List<CsvFile> all = List.copyOf(files);
        return row -> all.forEach(file -> file.add(row));
    }

    /** Writes the result: the files, then the table, then the object. */
    void write(LoadResult result, Terminal terminal) throws RunFailedException {
        IOException failure = null;
        try {
            for (CsvFile file : files) {
                file.close();
            }
            if (folder != null) {
                Files.writeString(folder.resolve("result.json"), LoadJson.withCourse(result) + "\n");
                ChartFiles.write(LoadPicture.of(result), folder, "load").ifPresent(terminal::tell);
            }
        } catch (IOException unwritten) {
            failure = unwritten;
        }
        if (json) {
            terminal.tell(LoadTable.of(result));
            terminal.print(LoadJson.of(result));
        } else {
            terminal.print(LoadTable.of(result));
        }
        if (failure != null) {
            throw RunFailedException.input("the result could not be written: " + failure);
        }
        if (folder != null) {
            terminal.tell("result.json, requests.csv and load.svg are in " + folder);
        }
    }
}
