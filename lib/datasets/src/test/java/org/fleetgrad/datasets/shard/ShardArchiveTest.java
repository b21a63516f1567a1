package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardArchiveTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadWhatItWrote() throws IOException {
        Shard shard = TestShards.shard();
        Path file = folder.resolve("a.tar.gz");

        ShardArchive.write(shard, file);
        Shard read = ShardArchive.read(file);

        assertThat(read.description()).isEqualTo(shard.description());
        assertThat(read.images().images()).isEqualTo(shard.images().images());
        assertThat(read.images().labels()).isEqualTo(shard.images().labels());
    }

    @Test
    void shouldWriteTheSameBytesAgainAndNothingOfWhoWroteThem() throws IOException {
        byte[] archive = archive(TestShards.shard());

        assertThat(archive(TestShards.shard())).isEqualTo(archive);
        try (GzipCompressorInputStream gzip = new GzipCompressorInputStream(new ByteArrayInputStream(archive));
                TarArchiveInputStream tar = new TarArchiveInputStream(gzip)) {
            assertThat(gzip.getMetaData().getModificationTime()).isZero();
            for (String name : List.of("dataset.json", "data.safetensors")) {
                TarArchiveEntry entry = tar.getNextEntry();
                assertThat(entry.getName()).isEqualTo(name);
                assertThat(entry.getLastModifiedTime().toMillis()).isZero();
                assertThat(entry.getUserName() + entry.getGroupName()).isEmpty();
                assertThat(entry.getLongUserId() + entry.getLongGroupId()).isZero();
                assertThat(entry.getMode()).isEqualTo(0100644);
            }
            assertThat(tar.getNextEntry()).isNull();
        }
    }

    @Test
    void shouldReadLabelsOf64Bits() throws IOException {
        Shard shard = TestShards.shard();
        byte[] data = withLongLabels(shard.images(), 2);

        Shard read = read(archive(data));

        assertThat(read.images().labels().toArray()).containsExactly(0, 1, 2, 0, 2);
    }

    @Test
    void shouldRefuseA64BitLabelThatIsNoClass() throws IOException {
        byte[] archive = archive(withLongLabels(TestShards.samples(5), (1L << 40) + 1));

        assertThatThrownBy(() -> read(archive))
                .hasMessage("the shard breaks rule LABEL: sample 4 has the label 1099511627777, there are 3 classes");
    }

    @Test
    void shouldReadFilesWithExtendedHeadersAsPythonWritesThem() throws IOException {
        TarBuilder tar = new TarBuilder();
        Shard shard = TestShards.shard();
        tar.special(
                "PaxHeader/data.safetensors",
                TarConstants.LF_PAX_EXTENDED_HEADER_LC,
                "20 mtime=1234.56789\n".getBytes(StandardCharsets.US_ASCII));
        tar.file(
                "data.safetensors",
                ShardData.encode(shard.samples(), shard.description().schema()).array());
        tar.file("dataset.json", DescriptionJson.write(shard.description()));

        assertThat(read(tar.gzip()).description()).isEqualTo(shard.description());
    }

    @Test
    void shouldNotWriteSamplesThatAreNotTheDescribedOnes() {
        Shard shard = TestShards.shard();
        ImageSamples other = TestShards.samples(5);
        other.images()[3] ^= 1;

        assertThatThrownBy(() -> ShardArchive.write(new Shard(shard.description(), other), folder.resolve("a.tar.gz")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the samples have the SHA-256 ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldPassOnThatTheSourceFailed() throws IOException {
        byte[] archive = archive(TestShards.shard());
        InputStream halfThenReset = new SequenceInputStream(
                new ByteArrayInputStream(archive, 0, archive.length / 2), new ResetConnection());

        assertThatThrownBy(() -> ShardArchive.read(halfThenReset, ShardLimits.DEFAULT))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("connection reset");
    }

    @Test
    void shouldNameTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("text.tar.gz"), "hello");

        assertThatThrownBy(() -> ShardArchive.read(file))
                .isInstanceOf(InvalidShardException.class)
                .hasMessage(file + " breaks rule GZIP: Not in GZIP format");
    }

    private static byte[] withLongLabels(ImageSamples samples, long last) {
        TensorLayout layout = TensorLayout.inOrder(List.of(
                new TensorSpec("labels", DType.I64, List.of(5L)),
                new TensorSpec("images", DType.U8, List.of(5L, 1L, 2L, 3L))));
        ByteBuffer bytes = ByteBuffer.allocate((int) layout.byteLength()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 4; i++) {
            bytes.putLong(samples.label(i));
        }
        bytes.putLong(last).put(samples.images()).flip();
        return Safetensors.encode(new TensorSet(layout, bytes, Map.of())).array();
    }

    private static byte[] archive(byte[] data) throws IOException {
        DatasetDescription honest = TestShards.shard().description();
        DatasetDescription description = new DatasetDescription(
                honest.name(), honest.split(), honest.schema(), honest.range(), Sha256.of(ByteBuffer.wrap(data)));
        return new TarBuilder()
                .file("dataset.json", DescriptionJson.write(description))
                .file("data.safetensors", data)
                .gzip();
    }

    private static byte[] archive(Shard shard) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ShardArchive.write(shard, out);
        return out.toByteArray();
    }

    private static Shard read(byte[] archive) throws IOException {
        return ShardArchive.read(new ByteArrayInputStream(archive), ShardLimits.DEFAULT);
    }

    private static final class ResetConnection extends InputStream {

        @Override
        public int read() throws IOException {
            throw new IOException("connection reset");
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return read();
        }
    }
}
