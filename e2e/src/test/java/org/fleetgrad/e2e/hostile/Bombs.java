package org.fleetgrad.e2e.hostile;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Files of a few kilobytes that stand for many megabytes. */
final class Bombs {

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    /** Eight bits, red, green, blue and alpha. */
    private static final byte[] RGBA = {8, 6, 0, 0, 0};

    private static final int PIXEL_BYTES = 4;
    private static final int PIECE = 8192;

    private Bombs() {}

    /** Returns a PNG that claims the most pixels that its header can state, and has none. */
    static byte[] claims() throws IOException {
        return png(Integer.MAX_VALUE, Integer.MAX_VALUE, new byte[0]);
    }

    /** Returns a PNG of equal pixels. */
    static byte[] white(int width, int height) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (OutputStream rows = new DeflaterOutputStream(data, new Deflater(Deflater.BEST_COMPRESSION))) {
            zeros(rows, (long) height * (1 + (long) PIXEL_BYTES * width));
        }
        return png(width, height, data.toByteArray());
    }

    /** Returns so many zeros, compressed. */
    static byte[] gzip(long bytes) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(data)) {
            zeros(out, bytes);
        }
        return data.toByteArray();
    }

    private static void zeros(OutputStream out, long count) throws IOException {
        for (long left = count; left > 0; left -= PIECE) {
            out.write(new byte[(int) Math.min(left, PIECE)]);
        }
    }

    private static byte[] png(int width, int height, byte[] data) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(SIGNATURE);
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream numbers = new DataOutputStream(header);
        numbers.writeInt(width);
        numbers.writeInt(height);
        numbers.write(RGBA);
        chunk(file, "IHDR", header.toByteArray());
        chunk(file, "IDAT", data);
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    private static void chunk(OutputStream file, String name, byte[] data) throws IOException {
        DataOutputStream out = new DataOutputStream(file);
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.US_ASCII));
        crc.update(data);
        out.writeInt(data.length);
        out.writeBytes(name);
        out.write(data);
        out.writeInt((int) crc.getValue());
        out.flush();
    }
}
