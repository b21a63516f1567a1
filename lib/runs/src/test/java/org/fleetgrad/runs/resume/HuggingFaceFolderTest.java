package org.fleetgrad.runs.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.huggingface.Gpt2Config;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HuggingFaceFolderTest {

    private static final String NAME = "gpt2?context=4&dropout=0.1&heads=1&layers=2&tied=yes&vocabulary=5&width=2";
    private static final NetworkDefinition NETWORK = Networks.named(NAME);

    @TempDir
    private Path folder;

    private void write(TensorSet set) throws IOException {
        Files.write(folder.resolve("config.json"), Gpt2Config.write(NetworkName.parse(NAME)));
        Files.write(folder.resolve("model.safetensors"), Safetensors.encode(set).array());
    }

    /** Without prefix, and with the buffer of a mask, which is no parameter, before the others. */
    private static TensorSet published() {
        TensorLayout ours = NETWORK.spec().layout();
        List<TensorSpec> specs =
                new ArrayList<>(List.of(new TensorSpec("h.0.attn.bias", DType.BOOL, List.of(1L, 1L, 2L, 2L))));
        ours.specs()
                .forEach(spec ->
                        specs.add(new TensorSpec(spec.name().replace("transformer.", ""), DType.F32, spec.shape())));
        TensorLayout layout = TensorLayout.inOrder(specs);
        ByteBuffer data = ByteBuffer.allocate((int) layout.byteLength())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(1);
        data.asFloatBuffer().put(NETWORK.initialParameters(3));
        return new TensorSet(layout, data.rewind(), Map.of("format", "pt"));
    }

    @Test
    void shouldShowThePublishedTensorsUnderTheNetworksNames() throws Exception {
        write(published());

        TensorFile file = TensorFile.open(folder);

        assertThat(file.layout()).isEqualTo(NETWORK.spec().layout());
        assertThat(file.metadata()).isEqualTo(Map.of("format", "pt", "network", NAME));
        assertThat(file.isPlain()).isFalse();
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        for (TensorSpec tensor : file.layout().specs()) {
            file.write(tensor.name(), values);
        }
        TensorSet read = new TensorSet(file.layout(), ByteBuffer.wrap(values.toByteArray()), Map.of());
        assertThat(read.toFloats(file.layout())).isEqualTo(NETWORK.initialParameters(3));
    }

    private static BeginningFile onText(String characters) {
        Schema schema = new TextSchema(CharacterTokenizer.ofCharactersIn(characters), 4);
        return new BeginningFile(Optional.empty(), false, new ShardManifest("text", schema, List.of()), 5);
    }

    @Test
    void shouldBeginARunOnAText() throws Exception {
        write(published());

        List<String> sources = onText("abcde").sources(folder, 1, folder.resolve("run"));

        TensorSet begun = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(Path.of(sources.get(0)))));
        assertThat(begun.toFloats(NETWORK.spec().layout())).isEqualTo(NETWORK.initialParameters(3));
        assertThat(begun.metadata())
                .containsEntry("network", NAME)
                .containsEntry("dataset", "text")
                .containsKeys("tokenizer", "seed", "format");
    }

    @Test
    void shouldRefuseATextOfMoreTokens() throws Exception {
        write(published());

        assertThatThrownBy(() -> onText("abcdef").sources(folder, 1, folder.resolve("run")))
                .isInstanceOf(RunFailedException.class)
                .hasMessageEndingWith("has a vocabulary of 5 tokens, the dataset has one of 6");
    }

    @Test
    void shouldRefuseATextOfOtherTokens() throws Exception {
        write(published());
        Path begun = Path.of(
                onText("abcde").sources(folder, 1, folder.resolve("run")).get(0));

        assertThat(onText("edcba").sources(begun, 1, folder.resolve("same"))).containsExactly(begun.toString());
        assertThatThrownBy(() -> onText("abcdz").sources(begun, 1, folder.resolve("other")))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--from %s: its tokens are of characters:abcde, those of the dataset text of characters:abcdz: train on texts of the same tokens (--tokenizer), or begin with another model"
                                .formatted(begun));
    }

    @Test
    void shouldBePlainIfFleetgradWroteIt() throws Exception {
        write(TensorSet.ofFloats(
                NETWORK.spec().layout(),
                NETWORK.initialParameters(3),
                NETWORK.spec().metadata()));

        assertThat(TensorFile.open(folder).isPlain()).isTrue();
        assertThatCode(() -> BeginningFile.requireFile(folder)).doesNotThrowAnyException();
    }

    @Test
    void shouldNotBePlainIfTheConfigurationSaysAnotherNetwork() throws Exception {
        write(TensorSet.ofFloats(
                NETWORK.spec().layout(),
                NETWORK.initialParameters(3),
                Map.of("network", NAME.replace("dropout=0.1", "dropout=0"))));

        TensorFile file = TensorFile.open(folder);

        assertThat(file.metadata()).containsEntry("network", NAME);
        assertThat(file.isPlain()).isFalse();
    }

    @Test
    void shouldNameTheKeyOfAnotherModel() throws IOException {
        Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"roberta\"}");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TensorFile.open(folder))
                .withMessage("its config.json: 'model_type' must be \"gpt2\" or \"bert\"; it is \"roberta\"");
    }

    @Test
    void shouldSayHowToWriteTheTensorsInOneFile() throws IOException {
        Files.write(folder.resolve("config.json"), Gpt2Config.write(NetworkName.parse(NAME)));
        Files.write(folder.resolve("pytorch_model.bin"), new byte[1]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TensorFile.open(folder))
                .withMessage(
                        "it has no model.safetensors: write it with save_pretrained(folder, safe_serialization=True, max_shard_size=\"2GB\")");
    }

    @Test
    void shouldReadNoMoreOfAConfigurationThanItsLimit() throws IOException {
        Files.write(folder.resolve("config.json"), new byte[(2 << 20)]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TensorFile.open(folder))
                .withMessage("its config.json: it is longer than 1048576 bytes");
    }
}
