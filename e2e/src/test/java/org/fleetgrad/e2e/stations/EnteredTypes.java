package org.fleetgrad.e2e.stations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often methods of each type were entered in this process. {@link StationsAgent} puts the calls into the types. */
public final class EnteredTypes {

    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    private EnteredTypes() {}

    /** Called at the begin of each method and constructor. */
    public static void enter(String type) {
        LongAdder count = COUNTS.get(type);
        if (count == null) {
            count = COUNTS.computeIfAbsent(type, name -> new LongAdder());
        }
        count.increment();
    }

    /** Writes lines of a count and the name of a top-level type; nested types count for it. */
    static void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        COUNTS.forEach((type, count) -> lines.add("%d\t%s".formatted(count.sum(), type)));
        Files.write(file, lines);
    }

    /** Reads what {@link #write} has written: the largest count of each top-level type and those nested in it. */
    static Map<String, Long> read(Path file) throws IOException {
        Map<String, Long> counts = new ConcurrentHashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] columns = line.split("\t", -1);
            counts.merge(columns[1].replaceAll("\\$.*", ""), Long.parseLong(columns[0]), Math::max);
        }
        return counts;
    }
}
