package org.fleetgrad.runs.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.huggingface.Gpt2Config;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedModelTest {

    private static final String GPT2 = "gpt2?context=4&dropout=0.1&heads=1&layers=1&tied=yes&vocabulary=5&width=2";

    @TempDir
    private Path folder;

    private static TensorSet model(Map<String, String> metadata) {
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2)));
        return TensorSet.ofFloats(layout, new float[] {1, 2}, metadata);
    }

    private TensorSet read() throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("model.safetensors"))));
    }

    @Test
    void shouldSayThatTheTensorsArePyTorchs() throws Exception {
        SavedModel.write(model(Map.of("network", "mlp?classes=10", "version", "7")), Optional.empty(), folder);

        assertThat(read().metadata()).isEqualTo(Map.of("network", "mlp?classes=10", "version", "7", "format", "pt"));
        assertThat(read().toFloats(read().layout())).containsExactly(1, 2);
        assertThat(folder).isDirectoryNotContaining("glob:**config.json");
    }

    @Test
    void shouldWriteTheConfigurationOfAGpt2() throws Exception {
        NetworkSpec spec = Networks.named(GPT2).spec();
        SavedModel.write(
                TensorSet.ofFloats(spec.layout(), new float[(int) spec.layout().elementCount()], spec.metadata()),
                Optional.empty(),
                folder);

        assertThat(Gpt2Config.read(Files.readAllBytes(folder.resolve("config.json"))))
                .hasToString(GPT2);
    }

    @Test
    void shouldWriteTheTokenizerOfAText() throws Exception {
        Map<String, String> metadata = Map.of("network", GPT2, "tokenizer", "characters:abcde");
        SavedModel.write(model(metadata), Optional.empty(), folder);

        assertThat(folder.resolve("tokenizer.json")).content().contains("\"e\":4");
        assertThat(folder.resolve("tokenizer_config.json")).exists();
    }

    @Test
    void shouldWriteAModelWithoutANetwork() throws Exception {
        SavedModel.write(model(Map.of()), Optional.empty(), folder);

        assertThat(read().metadata()).isEqualTo(Map.of("format", "pt"));
    }
}
