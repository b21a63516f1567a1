package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A dataset of a few random images in CIFAR-10's form. */
public final class TinyColours {

    static final List<Integer> SHAPE = List.of(3, 32, 32);
    static final int CLASSES = 10;
    private static final int RECORD = 1 + 3 * 32 * 32;

    private TinyColours() {}

    /** Writes so many training and test images, and returns the folder. */
    public static Path write(Path folder, int train, int test) throws IOException {
        Files.createDirectories(folder);
        writeRecords(folder.resolve("tiny-train.bin"), train, 1);
        writeRecords(folder.resolve("tiny-test.bin"), test, 2);
        return folder;
    }

    /** A record is a label, then the planes of the colours. */
    private static void writeRecords(Path file, int count, long seed) throws IOException {
        byte[] records = new byte[count * RECORD];
        new Random(seed).nextBytes(records);
        for (int i = 0; i < count; i++) {
            records[i * RECORD] = (byte) (i % CLASSES);
        }
        Files.write(file, records);
    }
}
