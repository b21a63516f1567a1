package org.fleetgrad.parquet;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** A compression of pages; in the order of the numbers that files state. */
enum Codec {
    UNCOMPRESSED,
    SNAPPY,
    GZIP,
    LZO,
    BROTLI,
    LZ4_OF_HADOOP,
    ZSTD,
    LZ4;

    private static final List<Codec> ALL = List.of(values());

    /**
     * Returns a compression by its number.
     *
     * @throws IllegalArgumentException if it is not read
     */
    static Codec of(int number) {
        if (number < 0 || number >= ALL.size()) {
            throw new IllegalArgumentException(
                    "its compression is number %d; there are 0 to %d".formatted(number, ALL.size() - 1));
        }
        Codec codec = ALL.get(number);
        if (codec == LZO || codec == BROTLI || codec == LZ4_OF_HADOOP) {
            throw new IllegalArgumentException(
                    "its compression is %s; read are none, snappy, gzip, zstd and lz4_raw: write it with df.to_parquet(..., compression=\"snappy\")"
                            .formatted(codec));
        }
        return codec;
    }

    /**
     * Unpacks a page, of which the first bytes are not packed.
     *
     * @param plain number of these
     * @param into  is filled behind them
     * @throws IllegalArgumentException if the bytes are broken, or of another length
     */
    void unpack(byte[] packed, int plain, byte[] into) {
        int length = packed.length - plain;
        int wanted = into.length - plain;
        int unpacked = length == 0
                ? 0
                : switch (this) {
                    case SNAPPY -> unpack(new SnappyDecompressor(), packed, plain, into);
                    case ZSTD -> unpack(new ZstdDecompressor(), packed, plain, into);
                    case LZ4 -> unpack(new Lz4Decompressor(), packed, plain, into);
                    case GZIP -> unpackGzip(packed, plain, into);
                    default -> throw new IllegalStateException("pages of " + this + " are not unpacked");
                };
        if (unpacked != wanted) {
            throw new IllegalArgumentException(
                    "a page has %,d bytes unpacked; it states %,d".formatted(unpacked, wanted));
        }
    }

    private int unpack(Decompressor decompressor, byte[] packed, int plain, byte[] into) {
        try {
            return decompressor.decompress(packed, plain, packed.length - plain, into, plain, into.length - plain);
        } catch (RuntimeException malformed) {
            throw new IllegalArgumentException(
                    "a page is broken, or longer than the %,d bytes that it states: its %s says %s"
                            .formatted(into.length - plain, this, malformed.getMessage()),
                    malformed);
        }
    }

    private static int unpackGzip(byte[] packed, int plain, byte[] into) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed, plain, packed.length - plain))) {
            int read = in.readNBytes(into, plain, into.length - plain);
            if (in.read() >= 0) {
                throw new IllegalArgumentException("a page has more than the %,d bytes that it states".formatted(read));
            }
            return read;
        } catch (IOException malformed) {
            throw new IllegalArgumentException("a page is broken: its GZIP says " + malformed.getMessage(), malformed);
        }
    }
}
