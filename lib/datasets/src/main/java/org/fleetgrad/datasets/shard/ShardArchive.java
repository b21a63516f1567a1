package org.fleetgrad.datasets.shard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.RegularFile;
import org.fleetgrad.files.Sha256;

/**
 * Reads and writes shards: a tar.gz of {@code dataset.json} and {@code data.safetensors}. The shard of held-out samples also has
 * the {@code tokenizer.json} of its texts, if their tokenizer is such a file: whoever evaluates a model answers texts with it.
 *
 * <p>A shard is data only. Archives are read in memory: nothing is extracted, and no name in the archive becomes a
 * path. The same shard always gives the same bytes. Stateless and thread-safe.
 */
public final class ShardArchive {

    /** The name of the entry with the description. */
    public static final String DESCRIPTION = "dataset.json";

    /** The name of the entry with the samples. */
    public static final String DATA = "data.safetensors";

    /** The name of the entry with the tokenizer. */
    public static final String TOKENIZER = JsonTokenizer.FILE;

    private static final int READABLE_BY_ALL = 0100644;

    /** Compresses little, and quickly: a shard of MNIST grows by an eighth, and takes 40% of the time. A run waits for its shards. */
    private static final class QuickGzip extends GZIPOutputStream {

        private static final int BUFFER_BYTES = 1 << 16;

        QuickGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private ShardArchive() {}

    /**
     * Writes a shard to a file, atomically.
     *
     * @throws IllegalArgumentException if the samples do not have the SHA-256 of the description
     */
    public static void write(Shard shard, Path file) throws IOException {
        AtomicFile.write(file, out -> write(shard, out));
    }

    /** Writes a shard to a stream, which stays open; see {@link #write(Shard, Path)}. */
    public static void write(Shard shard, OutputStream out) throws IOException {
        ByteBuffer data = ShardData.encode(shard.samples(), shard.description().schema());
        String sha256 = Sha256.of(data);
        if (!sha256.equals(shard.description().sha256())) {
            throw new IllegalArgumentException("the samples have the SHA-256 %s, the description states %s"
                    .formatted(sha256, shard.description().sha256()));
        }
        GZIPOutputStream gzip = new QuickGzip(out);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name());
        put(tar, DESCRIPTION, ByteBuffer.wrap(DescriptionJson.write(shard.description())));
        Optional<byte[]> tokenizer = shard.description().split() == Split.TEST
                ? shard.description().schema().tokenizerFile()
                : Optional.empty();
        if (tokenizer.isPresent()) {
            put(tar, TOKENIZER, ByteBuffer.wrap(tokenizer.get()));
        }
        put(tar, DATA, data);
        tar.finish();
        tar.flush();
        gzip.finish();
    }

    /** Reads a file within {@linkplain ShardLimits#DEFAULT the default limits}. */
    public static Shard read(Path file) throws IOException {
        return read(file, ShardLimits.DEFAULT);
    }

    /**
     * Reads a file.
     *
     * @throws InvalidShardException if the shard breaks a rule or exceeds {@code limits}
     */
    public static Shard read(Path file, ShardLimits limits) throws IOException {
        try (InputStream in = RegularFile.open(file)) {
            return new ShardReader(file.toString(), limits).read(in);
        }
    }

    /**
     * Reads a stream to its end and closes it.
     *
     * @throws InvalidShardException if the shard breaks a rule or exceeds {@code limits}
     */
    public static Shard read(InputStream in, ShardLimits limits) throws IOException {
        return new ShardReader("the shard", limits).read(in);
    }

    private static void put(TarArchiveOutputStream tar, String name, ByteBuffer content) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.remaining());
        entry.setMode(READABLE_BY_ALL);
        entry.setModTime(0L);
        // Otherwise the library would write the name of the current user.
        entry.setUserName("");
        entry.setGroupName("");
        tar.putArchiveEntry(entry);
        tar.write(content.array(), content.arrayOffset() + content.position(), content.remaining());
        tar.closeArchiveEntry();
    }
}
