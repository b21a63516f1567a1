package org.fleetgrad.datasets.shard;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.files.Sha256;

/**
 * Reads one archive into memory. Compares the names of entries with the expected ones, and never uses them as
 * paths.
 */
final class ShardReader {

    private static final int BUFFER_BYTES = 1 << 16;

    /** The bytes that tar may add before an entry (extended headers) or after the last (padding). */
    private static final long TAR_OVERHEAD_BYTES = 1 << 20;

    private final String source;
    private final ShardLimits limits;

    ShardReader(String source, ShardLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    Shard read(InputStream in) throws IOException {
        Map<String, byte[]> entries = entries(in);
        byte[] json = required(entries, ShardArchive.DESCRIPTION);
        byte[] data = required(entries, ShardArchive.DATA);
        DatasetDescription description;
        try {
            description = DescriptionJson.read(json, entries.get(ShardArchive.TOKENIZER));
        } catch (IllegalArgumentException invalid) {
            throw new InvalidShardException(
                    source, ShardRule.DESCRIPTION, ShardArchive.DESCRIPTION + ": " + invalid.getMessage(), invalid);
        }
        String sha256 = Sha256.of(ByteBuffer.wrap(data));
        if (!sha256.equals(description.sha256())) {
            throw broken(
                    ShardRule.SHA256,
                    "the %d bytes of %s have %s, %s states %s"
                            .formatted(
                                    data.length,
                                    ShardArchive.DATA,
                                    sha256,
                                    ShardArchive.DESCRIPTION,
                                    description.sha256()));
        }
        Samples samples = ShardData.decode(source, description, data);
        return new Shard(description, samples);
    }

    private Map<String, byte[]> entries(InputStream in) throws IOException {
        SourceInputStream raw = new SourceInputStream(in);
        try (raw;
                GZIPInputStream gzip = new GZIPInputStream(raw, BUFFER_BYTES);
                AllowanceInputStream bounded = new AllowanceInputStream(gzip, limits.totalBytes());
                TarArchiveInputStream tar = new TarArchiveInputStream(
                        bounded,
                        TarConstants.DEFAULT_RCDSIZE,
                        TarConstants.DEFAULT_RCDSIZE,
                        StandardCharsets.UTF_8.name())) {
            Map<String, byte[]> entries = new HashMap<>();
            bounded.allow(TAR_OVERHEAD_BYTES);
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                long size = checked(entry, entries);
                bounded.allow(size);
                byte[] content = tar.readNBytes((int) size);
                if (content.length < size) {
                    throw broken(
                            ShardRule.TAR,
                            "entry '%s' ends after %d of %d bytes".formatted(entry.getName(), content.length, size));
                }
                entries.put(entry.getName(), content);
                bounded.allow(TAR_OVERHEAD_BYTES);
            }
            requireZeros(bounded);
            return entries;
        } catch (AllowanceInputStream.ExceededException exceeded) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TOO_LARGE,
                    "%s; the limits are %d bytes in all and %d around an entry"
                            .formatted(exceeded.getMessage(), limits.totalBytes(), TAR_OVERHEAD_BYTES),
                    exceeded);
        } catch (InvalidShardException invalid) {
            throw invalid;
        } catch (IOException failed) {
            if (raw.hasFailed()) {
                throw failed;
            }
            boolean isGzip = failed instanceof ZipException || failed instanceof EOFException;
            throw new InvalidShardException(
                    source, isGzip ? ShardRule.GZIP : ShardRule.TAR, String.valueOf(failed.getMessage()), failed);
        }
    }

    /** Returns the size of an entry that may be read; throws if it breaks a rule. */
    private long checked(TarArchiveEntry entry, Map<String, byte[]> entries) throws InvalidShardException {
        String name = entry.getName();
        if (!entry.isFile() || entry.isLink() || entry.isSymbolicLink() || entry.isSparse() || isDevice(entry)) {
            throw broken(ShardRule.ENTRY_TYPE, "entry '%s' is not a regular file".formatted(name));
        }
        long most = switch (name) {
            case ShardArchive.DESCRIPTION -> limits.descriptionBytes();
            case ShardArchive.DATA -> limits.dataBytes();
            case ShardArchive.TOKENIZER -> Math.min(JsonTokenizer.MOST_BYTES, limits.totalBytes());
            default ->
                throw broken(
                        ShardRule.ENTRY_NAME,
                        "entry '%s' is neither %s nor %s nor %s"
                                .formatted(name, ShardArchive.DESCRIPTION, ShardArchive.DATA, ShardArchive.TOKENIZER));
        };
        if (entries.containsKey(name)) {
            throw broken(ShardRule.DUPLICATE_ENTRY, "entry '%s' occurs twice".formatted(name));
        }
        if (entry.getSize() > most) {
            throw broken(
                    ShardRule.TOO_LARGE,
                    "entry '%s' states %d bytes, the limit is %d".formatted(name, entry.getSize(), most));
        }
        return entry.getSize();
    }

    private static boolean isDevice(TarArchiveEntry entry) {
        return entry.isBlockDevice() || entry.isCharacterDevice() || entry.isFIFO();
    }

    /** Tar pads with zeros; reading the padding to its end also makes gzip compare its checksum. */
    private void requireZeros(InputStream in) throws IOException {
        byte[] chunk = new byte[BUFFER_BYTES];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            for (int i = 0; i < read; i++) {
                if (chunk[i] != 0) {
                    throw broken(ShardRule.TRAILING_BYTES, "the archive has bytes after its end");
                }
            }
        }
    }

    private byte[] required(Map<String, byte[]> entries, String name) throws InvalidShardException {
        byte[] content = entries.get(name);
        if (content == null) {
            throw broken(
                    ShardRule.MISSING_ENTRY,
                    "there is no entry '%s'; the entries are %s".formatted(name, entries.keySet()));
        }
        return content;
    }

    private InvalidShardException broken(ShardRule rule, String detail) {
        return new InvalidShardException(source, rule, detail);
    }

    /** Records a failure of the source, to distinguish a broken disk or connection from broken content. */
    static final class SourceInputStream extends FilterInputStream {

        private boolean hasFailed;

        SourceInputStream(InputStream in) {
            super(in);
        }

        boolean hasFailed() {
            return hasFailed;
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException failed) {
                hasFailed = true;
                throw failed;
            }
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                return super.read(target, offset, length);
            } catch (IOException failed) {
                hasFailed = true;
                throw failed;
            }
        }
    }
}
