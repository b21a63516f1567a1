package org.fleetgrad.worker.action;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The streams of an action container: OpenWhisk's contract is UTF-8, whatever the locale of the container. */
public final class Utf8Streams {

    private Utf8Streams() {}

    /** Installs them as the streams of this process. */
    public static void install() {
        System.setOut(utf8(FileDescriptor.out));
        System.setErr(utf8(FileDescriptor.err));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
