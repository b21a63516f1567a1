package org.fleetgrad.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text of the 26 letters, which a GPT-2 of 26 tokens learns. */
final class Letters {

    static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz";

    private static final String TEXT = ALPHABET + "zebraquickfox";

    private Letters() {}

    static String of(int length) {
        return TEXT.repeat(length / TEXT.length() + 1).substring(0, length);
    }

    /** Returns a GPT-2 with one token a letter. */
    static String network(int layers, int width) {
        return "gpt2?context=16&dropout=0&heads=2&layers=%d&tied=yes&vocabulary=26&width=%d".formatted(layers, width);
    }

    /** Writes 144 letters to train on, which are 8 samples of 16, and 16 that are held out. */
    static Path write(Path folder) throws IOException {
        Path data = Files.createDirectories(folder.resolve("letters"));
        Files.writeString(data.resolve("a.txt"), of(160));
        return data;
    }
}
