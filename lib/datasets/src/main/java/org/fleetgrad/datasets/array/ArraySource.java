package org.fleetgrad.datasets.array;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The bytes of an array, which can be read more than once. */
interface ArraySource {

    /** Returns the file, and the member of it if it has several, for messages. */
    String name();

    /** Opens the bytes, from their beginning. */
    InputStream open() throws IOException;

    /** Returns the most bytes that there may be, by the size of the file, and not by what it states. */
    long mostBytes();

    /**
     * Opens the array.
     *
     * @throws org.fleetgrad.datasets.InvalidDatasetException if it breaks the format, or is none of numbers
     */
    default NpyArray array() throws IOException {
        return NpyArray.open(this);
    }

    /** A file. */
    record OfFile(Path file, long mostBytes) implements ArraySource {

        static OfFile of(Path file) throws IOException {
            return new OfFile(file, Files.size(file));
        }

        @Override
        public String name() {
            return file.toString();
        }

        @Override
        public InputStream open() throws IOException {
            return new BufferedInputStream(Files.newInputStream(file));
        }
    }

    /** A member of a zip file. */
    record OfMember(Path file, ZipFile zip, ZipEntry member) implements ArraySource {

        /** A byte of Deflate stands for 1,032 bytes at most (258 for each quarter of a byte); a zip states sizes, and may lie. */
        private static final long MOST_RATIO = 1032;

        @Override
        public String name() {
            return "%s: %s".formatted(file, member.getName());
        }

        @Override
        public InputStream open() throws IOException {
            return new BufferedInputStream(zip.getInputStream(member));
        }

        @Override
        public long mostBytes() {
            long packed = Math.min(member.getCompressedSize(), fileBytes());
            return member.getMethod() == ZipEntry.STORED
                    ? packed
                    : Math.multiplyExact(Math.min(packed, Long.MAX_VALUE / MOST_RATIO), MOST_RATIO);
        }

        private long fileBytes() {
            return file.toFile().length();
        }
    }
}
