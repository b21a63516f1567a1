package org.fleetgrad.networks.huggingface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class Gpt2TensorsTest {

    private static final Set<String> OURS = names("yes");

    private static Set<String> names(String tied) {
        return Networks.named("gpt2?context=4&dropout=0&heads=1&layers=2&vocabulary=4&width=4&tied=" + tied)
                .spec()
                .layout()
                .specs()
                .stream()
                .map(TensorSpec::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Each has the values of its own place. */
    private static TensorSet file(Stream<String> tensors) {
        List<TensorSpec> specs = tensors.map(name -> TensorSpec.f32(name, 1, 2)).toList();
        TensorLayout layout = TensorLayout.inOrder(specs);
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(layout.byteLength()));
        for (int i = 0; bytes.hasRemaining(); i++) {
            bytes.putInt(i / 2);
        }
        return new TensorSet(layout, bytes.flip(), Map.of());
    }

    private static TensorSet file(String... tensors) {
        return file(Arrays.stream(tensors));
    }

    @Test
    void shouldLeaveItsOwnNames() {
        assertThat(Gpt2Tensors.names(file(OURS.stream()), true))
                .isEqualTo(OURS.stream().collect(Collectors.toMap(name -> name, name -> name)));
    }

    @Test
    void shouldFindThePublishedNamesAndLeaveOutTheMasks() {
        Stream<String> published = OURS.stream().map(name -> name.replaceFirst("^transformer\\.", ""));
        Stream<String> masks = Stream.of("h.0.attn.bias", "h.1.attn.bias", "h.0.attn.masked_bias");

        Map<String, String> found = Gpt2Tensors.names(file(Stream.concat(published, masks)), true);

        Map<String, String> expected = new TreeMap<>();
        OURS.forEach(name -> expected.put(name, name.substring("transformer.".length())));
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldLeaveOutMasksWithTheirPrefix() {
        assertThat(Gpt2Tensors.names(file("transformer.h.10.attn.bias", "transformer.h.10.attn.masked_bias"), true))
                .isEmpty();
    }

    @Test
    void shouldKeepTheBiasesOfAttention() {
        assertThat(Gpt2Tensors.names(file("h.0.attn.c_attn.bias", "h.0.attn.c_proj.bias"), true))
                .containsOnlyKeys("transformer.h.0.attn.c_attn.bias", "transformer.h.0.attn.c_proj.bias");
    }

    @Test
    void shouldKeepTheHeadOfAnUntiedNetwork() {
        assertThat(Gpt2Tensors.names(file(names("no").stream()), false)).containsKey("lm_head.weight");
    }

    @Test
    void shouldLeaveOutATiedHeadThatIsTheEmbedding() {
        TensorLayout layout = TensorLayout.inOrder(
                List.of(TensorSpec.f32("lm_head.weight", 1, 2), TensorSpec.f32("wte.weight", 1, 2)));
        TensorSet same = TensorSet.ofFloats(layout, new float[] {1, Float.NaN, 1, Float.NaN}, Map.of());

        assertThat(Gpt2Tensors.names(same, true)).isEqualTo(Map.of("transformer.wte.weight", "wte.weight"));
    }

    @Test
    void shouldRefuseATiedHeadOfItsOwn() {
        String message =
                "its 'lm_head.weight' is not its 'transformer.wte.weight', though tie_word_embeddings is true in config.json: set it to false there";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gpt2Tensors.names(file("lm_head.weight", "wte.weight"), true))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gpt2Tensors.names(file("lm_head.weight"), true))
                .withMessage(message);
    }

    @Test
    void shouldRefuseATensorUnderTwoNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Gpt2Tensors.names(file("transformer.ln_f.bias", "ln_f.bias"), true))
                .withMessage(
                        "it has a tensor 'transformer.ln_f.bias' and a tensor 'ln_f.bias', which are the same of a GPT-2");
    }

    @Test
    void shouldLeaveTheNamesOfOtherTensors() {
        assertThat(Gpt2Tensors.names(file("score.weight", "h.x.attn.bias", "h.0"), true))
                .containsOnlyKeys("score.weight", "h.x.attn.bias", "h.0");
    }
}
