package org.fleetgrad.runs.kept;

import java.nio.file.Path;

/** A program that adds folders to an index, and prints each when it is added, until it is killed. */
final class IndexWriter {

    private IndexWriter() {}

    public static void main(String[] arguments) throws Exception {
        RunIndex index = new RunIndex(Path.of(arguments[0]), SmallFiles.ON_DISK);
        for (int i = 0; ; i++) {
            Path folder = Path.of("/elsewhere/%s-%d".formatted(arguments[1], i));
            index.add(folder);
            System.out.println(folder);
        }
    }
}
