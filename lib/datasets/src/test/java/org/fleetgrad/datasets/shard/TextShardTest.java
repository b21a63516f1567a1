package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.Gpt2Tokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextShardTest {

    private static final TextSchema SCHEMA = new TextSchema(CharacterTokenizer.of("\n \"abcdé"), 4);
    private static final String TEXT = "a bad cab\na dad \"é\" ".repeat(9);

    @TempDir
    private Path folder;

    @Test
    void shouldReadBackWhatItWrote() throws IOException {
        TextDataset dataset = TextDataset.of("rhymes", SCHEMA, TEXT, "bad dad");
        ShardSet set = ShardSet.write(folder, dataset, 3);

        Shard last = ShardArchive.read(set.train().get(2));
        Shard test = ShardArchive.read(set.test());

        assertThat(ShardManifest.read(set.manifest()).schema()).isEqualTo(SCHEMA);
        assertThat(last.description().schema()).isEqualTo(SCHEMA);
        assertThat(set.samples().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(dataset.train().count());
        assertThat(last.description().range().end()).isEqualTo(dataset.train().count());
        assertThat(((TextSamples) test.samples()).tokens())
                .isEqualTo(dataset.test().tokens());
        assertThat(SCHEMA.metadata()).containsEntry("tokenizer", "characters:\n \"abcdé");
    }

    /** Which worker trains on a sample, and in which batch, changes nothing. */
    @Test
    void shouldDrawTheSameWindowForASampleWhereverItIs() throws IOException {
        Shard shard = Shard.of(
                "rhymes",
                Split.TRAIN,
                SCHEMA,
                new SampleRange(7, 8, 40),
                TextSamples.training(Tokens.of(SCHEMA.tokenizer().encode(TEXT.substring(0, 36))), 4));
        EpochDraws draws = new EpochDraws(Augmentation.NONE, 5, 2);
        float[] together = new float[3 * 4];
        float[] alone = new float[4];
        float[] labels = new float[3 * 4];

        shard.read(new int[] {6, 2, 3}, draws, together, labels);
        shard.read(new int[] {2}, draws, alone, new float[4]);

        assertThat(List.of(together[4], together[5], together[6], together[7]))
                .containsExactly(alone[0], alone[1], alone[2], alone[3]);
        assertThat(shard.inputSize()).isEqualTo(4);
        assertThat(shard.targetCount()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "U16|tokens|8|token 2 is 8, the vocabulary has the tokens 0 to 7",
                "U32|tokens|1|has one, tokens U16 [count]",
                "U16|words|1|has one, tokens U16 [count]",
                "U16|tokens|1|9 tokens are not samples of 4 with as many after them"
            })
    void shouldRefuseATextThatBreaksARule(DType type, String name, int token, String message) throws IOException {
        TensorLayout layout = TensorLayout.inOrder(List.of(new TensorSpec(name, type, List.of(9L))));
        ByteBuffer bytes = ByteBuffer.allocate((int) layout.byteLength()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(2 * type.bytes(), (short) token);
        byte[] data = Safetensors.encode(new TensorSet(layout, bytes, Map.of())).array();
        DatasetDescription description = new DatasetDescription(
                "rhymes", Split.TRAIN, SCHEMA, new SampleRange(0, 3, 3), Sha256.of(ByteBuffer.wrap(data)));
        byte[] archive = new TarBuilder()
                .file("dataset.json", DescriptionJson.write(description))
                .file("data.safetensors", data)
                .gzip();

        assertThatThrownBy(() -> ShardArchive.read(new ByteArrayInputStream(archive), ShardLimits.DEFAULT))
                .isInstanceOf(InvalidShardException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldWriteTwoBytesAToken() throws SafetensorsException {
        Tokens tokens = Tokens.of(0, 50_256, 1, 2, 3, 4, 5, 6);
        ByteBuffer encoded = ShardData.encode(TextSamples.training(tokens, 4), new TextSchema(new Gpt2Tokenizer(), 4));

        assertThat(Safetensors.decode(encoded).layout().specs())
                .containsExactly(new TensorSpec("tokens", DType.U16, List.of(8L)));
    }
}
