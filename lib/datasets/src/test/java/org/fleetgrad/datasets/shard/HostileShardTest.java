package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostileShardTest {

    private static final ShardLimits LIMITS = new ShardLimits(2_000, 10_000, 3_000_000);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../dataset.json",
                "/dataset.json",
                "./dataset.json",
                "a/dataset.json",
                "dataset.json ",
                "DATASET.JSON",
                "dataset_dl.py",
                "..\\dataset.json"
            })
    void shouldRefuseEveryOtherName(String name) throws IOException {
        byte[] archive = TarBuilder.ofShard().file(name, new byte[3]).gzip();

        assertRefused(
                archive,
                ShardRule.ENTRY_NAME,
                "entry '%s' is neither dataset.json nor data.safetensors nor tokenizer.json".formatted(name));
    }

    @ParameterizedTest
    @CsvSource({"SYMLINK,2", "LINK,1", "CHARACTER_DEVICE,3", "BLOCK_DEVICE,4", "FOLDER,5", "FIFO,6"})
    void shouldRefuseEverythingButRegularFiles(String kind, int digit) throws IOException {
        byte[] archive = new TarBuilder()
                .special("dataset.json", (byte) ('0' + digit), "/etc/passwd")
                .gzip();

        InvalidShardException refused = refusal(archive);
        assertThat(refused.rule()).as(kind).isEqualTo(ShardRule.ENTRY_TYPE);
        assertThat(refused).hasMessageContaining("is not a regular file");
    }

    @Test
    void shouldRefuseDuplicateAndMissingEntries() throws IOException {
        byte[] twice = TarBuilder.ofShard().file("dataset.json", new byte[1]).gzip();
        assertRefused(twice, ShardRule.DUPLICATE_ENTRY, "entry 'dataset.json' occurs twice");

        byte[] half = new TarBuilder().file("dataset.json", new byte[1]).gzip();
        assertRefused(
                half, ShardRule.MISSING_ENTRY, "there is no entry 'data.safetensors'; the entries are [dataset.json]");

        assertRefused(
                new TarBuilder().gzip(),
                ShardRule.MISSING_ENTRY,
                "there is no entry 'dataset.json'; the entries are []");
    }

    @Test
    void shouldRefuseEntriesLargerThanAcceptedBeforeReadingThem() throws IOException {
        byte[] archive =
                new TarBuilder().file("data.safetensors", new byte[10_001]).gzip();

        assertRefused(archive, ShardRule.TOO_LARGE, "entry 'data.safetensors' states 10001 bytes, the limit is 10000");
    }

    @Test
    void shouldStopReadingABombAfterTheEntries() throws IOException {
        byte[] tar = TarBuilder.ofShard().tar();
        byte[] archive = TarBuilder.gzip(Arrays.copyOf(tar, tar.length + (64 << 20)));

        assertRefused(
                archive,
                ShardRule.TOO_LARGE,
                "it is longer than its headers state; the limits are 3000000 bytes in all and 1048576 around an entry");
    }

    @ParameterizedTest
    @ValueSource(bytes = {TarConstants.LF_PAX_EXTENDED_HEADER_LC, TarConstants.LF_GNUTYPE_LONGNAME})
    void shouldStopReadingABombInAnExtendedHeader(byte type) throws IOException {
        byte[] record = new byte[2 << 20];
        Arrays.fill(record, (byte) 'x');
        byte[] header = "2097152 path=".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(header, 0, record, 0, header.length);
        record[record.length - 1] = '\n';
        byte[] archive = new TarBuilder().special("header", type, record).gzip();

        assertRefused(
                archive,
                ShardRule.TOO_LARGE,
                "it is longer than its headers state; the limits are 3000000 bytes in all and 1048576 around an entry");
    }

    @Test
    void shouldRefuseBytesAfterTheArchive() throws IOException {
        byte[] tar = TarBuilder.ofShard().tar();
        byte[] longer = Arrays.copyOf(tar, tar.length + 1);
        longer[tar.length] = 1;

        assertRefused(TarBuilder.gzip(longer), ShardRule.TRAILING_BYTES, "the archive has bytes after its end");
    }

    @Test
    void shouldRefuseEveryTruncation() throws IOException {
        byte[] archive = TarBuilder.ofShard().gzip();
        for (int length = 0; length < archive.length; length++) {
            InvalidShardException refused = refusal(Arrays.copyOf(archive, length));
            assertThat(refused.rule()).as("the first %d bytes", length).isEqualTo(ShardRule.GZIP);
        }
        byte[] tar = TarBuilder.ofShard().tar();
        for (int length = 0; length < 3 * 512; length++) {
            InvalidShardException refused = refusal(TarBuilder.gzip(Arrays.copyOf(tar, length)));
            assertThat(refused.rule()).isIn(ShardRule.TAR, ShardRule.MISSING_ENTRY);
        }
    }

    @Test
    void shouldRefuseEveryFlippedBitOrReadTheSame() throws IOException {
        byte[] archive = TarBuilder.ofShard().gzip();
        Shard honest = TestShards.shard();
        for (int at = 0; at < archive.length; at++) {
            assertRefusedOrSame(flipped(archive, at), honest);
        }
    }

    @Test
    void shouldRefuseEveryFlippedBitOfTheHeadersOrReadTheSame() throws IOException {
        byte[] tar = TarBuilder.ofShard().tar();
        Shard honest = TestShards.shard();
        for (int at = 0; at < 512; at++) {
            assertRefusedOrSame(TarBuilder.gzip(flipped(tar, at)), honest);
        }
    }

    private static byte[] flipped(byte[] bytes, int at) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= 4;
        return flipped;
    }

    private static void assertRefusedOrSame(byte[] archive, Shard honest) throws IOException {
        try {
            Shard read = ShardArchive.read(new ByteArrayInputStream(archive), LIMITS);
            assertThat(read.description()).isEqualTo(honest.description());
            assertThat(read.images().images()).isEqualTo(honest.images().images());
        } catch (InvalidShardException refused) {
            assertThat(refused).hasMessageStartingWith("the shard breaks rule ");
        }
    }

    @Test
    void shouldRefuseDataOfAnotherDigest() throws IOException {
        byte[] data = ShardData.encode(
                        TestShards.samples(5), TestShards.shard().description().schema())
                .array();
        data[data.length - 6] ^= 1;
        byte[] archive = new TarBuilder()
                .file("dataset.json", DescriptionJson.write(TestShards.shard().description()))
                .file("data.safetensors", data)
                .gzip();

        assertRefused(
                archive,
                ShardRule.SHA256,
                "the %d bytes of data.safetensors have %s, dataset.json states %s"
                        .formatted(
                                data.length,
                                Sha256.of(ByteBuffer.wrap(data)),
                                TestShards.shard().description().sha256()));
    }

    @Test
    void shouldRefuseShapesThatDisagreeWithTheDescription() throws IOException {
        assertRefused(
                withTensors(
                        new TensorSpec("images", DType.U8, List.of(5L, 1L, 3L, 2L)),
                        new TensorSpec("labels", DType.U8, List.of(5L))),
                ShardRule.TENSORS,
                "tensor 'images' is U8 [5, 1, 3, 2], dataset.json requires [U8] [5, 1, 2, 3]");
        assertRefused(
                withTensors(
                        new TensorSpec("images", DType.U8, List.of(5L, 1L, 2L, 3L)),
                        new TensorSpec("labels", DType.I8, List.of(5L))),
                ShardRule.TENSORS,
                "tensor 'labels' is I8 [5], dataset.json requires [U8, I64] [5]");
        assertRefused(
                withTensors(
                        new TensorSpec("images", DType.U8, List.of(5L, 1L, 2L, 3L)),
                        new TensorSpec("label", DType.U8, List.of(5L))),
                ShardRule.TENSORS,
                "data.safetensors has no tensor 'labels'");
        assertRefused(
                withTensors(new TensorSpec("images", DType.U8, List.of(5L, 1L, 2L, 3L))),
                ShardRule.TENSORS,
                "data.safetensors has 1 tensors; a shard must have 2, images and labels");
    }

    @Test
    void shouldRefuseDataThatIsNotSafetensors() throws IOException {
        assertRefused(
                withData(new byte[] {1, 2, 3}),
                ShardRule.SAFETENSORS,
                "data.safetensors: the body has 3 bytes, the header length alone takes 8");
    }

    @Test
    void shouldRefuseADescriptionThatIsNotJson() throws IOException {
        byte[] archive = new TarBuilder()
                .file("dataset.json", "{\"name\": ".getBytes(StandardCharsets.UTF_8))
                .file("data.safetensors", new byte[1])
                .gzip();

        InvalidShardException refused = refusal(archive);
        assertThat(refused.rule()).isEqualTo(ShardRule.DESCRIPTION);
        assertThat(refused).hasMessageStartingWith("the shard breaks rule DESCRIPTION: dataset.json: not JSON: ");
    }

    @Test
    void shouldRefuseLimitsThatLimitNothing() {
        assertThatThrownBy(() -> new ShardLimits(0, 1, 1))
                .hasMessage("limits must be positive: description 0, data 1, total 1");
        assertThatThrownBy(() -> new ShardLimits(1, 1L << 31, 1L << 32))
                .hasMessage(
                        "an entry is read into one array of at most 2147483639 bytes: description 1, data 2147483648");
    }

    private static byte[] withTensors(TensorSpec... specs) throws IOException {
        TensorLayout layout = TensorLayout.inOrder(List.of(specs));
        ByteBuffer bytes = ByteBuffer.allocate((int) layout.byteLength());
        return withData(
                Safetensors.encode(new TensorSet(layout, bytes, Map.of())).array());
    }

    private static byte[] withData(byte[] data) throws IOException {
        String json = new String(DescriptionJson.write(TestShards.shard().description()), StandardCharsets.UTF_8)
                .replaceAll("[0-9a-f]{64}", Sha256.of(ByteBuffer.wrap(data)));
        return new TarBuilder()
                .file("dataset.json", json.getBytes(StandardCharsets.UTF_8))
                .file("data.safetensors", data)
                .gzip();
    }

    private static void assertRefused(byte[] archive, ShardRule rule, String detail) {
        InvalidShardException refused = refusal(archive);
        assertThat(refused).hasMessage("the shard breaks rule %s: %s".formatted(rule, detail));
        assertThat(refused.rule()).isEqualTo(rule);
    }

    private static InvalidShardException refusal(byte[] archive) {
        InvalidShardException refused = catchThrowableOfType(
                InvalidShardException.class, () -> ShardArchive.read(new ByteArrayInputStream(archive), LIMITS));
        return Objects.requireNonNull(refused, "the archive was read");
    }
}
