package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.graph.PackedJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each network of the zoo is the same when its layers travel in its name. */
class LayersNetworkTest {

    static Stream<NetworkDefinition> zoo() {
        Stream<NetworkDefinition> usual = Networks.names().stream().map(Networks::usual);
        Stream<NetworkDefinition> others = Stream.of(
                Networks.named("bert", new TextClassification(16, 100, 3, 0)),
                Networks.named("gpt2?layers=2&heads=2&width=16&tied=no&dropout=0.1", new LanguageModel(8, 65)),
                Networks.named("tabular", new TableTask(3, List.of(4, 20, 300), new OneClass(3))),
                Networks.named("tabular-resnet", new TableTask(3, List.of(4, 20), new Question.Labels(3))),
                Networks.named("series?kind=lstm", new SeriesTask(2, 32, new OneClass(4))),
                Networks.named("resnet18", new ImageClassification(List.of(1, 64, 64), 100)));
        return Stream.concat(usual, others);
    }

    @ParameterizedTest
    @MethodSource("zoo")
    void shouldBeTheSameNetworkByItsLayers(NetworkDefinition network) {
        NetworkDefinition carried = LayersNetwork.of(network);

        assertThat(carried.layers()).isEqualTo(network.layers());
        assertThat(carried.spec().layout()).isEqualTo(network.spec().layout());
        assertThat(carried.spec().task()).isEqualTo(network.spec().task());
        assertThat(carried.spec().state()).isEqualTo(network.spec().state());
        assertThat(Networks.named(carried.spec().name())).isEqualTo(carried);
        assertThat(carried.blocks()).isEqualTo(network.blocks());
    }

    @Test
    void shouldDrawTheSameParameters() {
        NetworkDefinition network = Networks.named("resnet20", List.of(3, 32, 32), 10);

        assertThat(LayersNetwork.of(network).initialParameters(7)).isEqualTo(network.initialParameters(7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|the layers cannot be read",
                "{\"parts\":1}|the layers cannot be read",
                "{\"parts\":[],\"more\":1}|the layers cannot be read",
                "{\"parts\":[]} {}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"Runtime\"}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"java.lang.Object\"}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"GraphLayer\",\"graph\":null}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"ReLU\"}}]}|must end in [10]; it ends in [3, 8, 8]",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\",\"side\":0}}]}|the settings of an average-pooling are 1 or more; they are [0]",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\",\"side\":-1}}]}|a number of a layer is from 0 to 16,777,216; it is -1",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\",\"side\":9223372036854775808}}]}|a number of a layer is from 0 to 16,777,216; it is 9223372036854775808",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\",\"side\":1000000}}]}|the layers compute more than 1,073,741,824 values of a sample",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\",\"side\":null}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"AdaptiveAvgPool2d\"}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"Dropout\",\"probability\":1.5}}]}|a dropout's probability is from 0 to below 1; it is 1.5",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"Dropout\",\"probability\":NaN}}]}|the layers cannot be read",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"Dropout\",\"probability\":1e999}}]}|a number of a layer is finite",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"f\",\"layer\":{\"kind\":\"Flatten\"}},{\"name\":\"a\",\"layer\":{\"kind\":\"Linear\",\"in\":192,\"out\":10,\"form\":\"LINEAR\",\"weight\":{\"kind\":\"Normal\",\"deviation\":1e999},\"bias\":null}}]}|a number of a layer is finite",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"MaxPool2d\",\"kernel\":2,\"stride\":0,\"padding\":0}}]}|the settings of a max-pooling are 1 or more; they are [2, 0]",
                "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":{\"kind\":\"Lstm\",\"in\":3,\"hidden\":4,\"layers\":1000}}]}|an LSTM has at most 64 layers; it has 1000"
            })
    void shouldRefuseOtherData(String json, String message) {
        String name = "layers?classes=10&input=3x8x8&layers=" + PackedJson.pack(json.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> Networks.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseLayersThatAreNested() {
        String deep = "{\"kind\":\"Sequential\",\"parts\":[{\"name\":\"a\",\"layer\":".repeat(200);
        String name = "layers?classes=10&input=3x8x8&layers=" + PackedJson.pack(deep.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> Networks.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nesting depth");
    }

    @Test
    void shouldRefuseMoreThanItUnpacks() {
        String name = "layers?classes=10&input=3x8x8&layers=" + PackedJson.pack(new byte[5 << 20]);

        assertThatThrownBy(() -> Networks.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("layers have at most 4,194,304 bytes of JSON; these have more");
    }

    @Test
    void shouldSayWhereSuchANetworkComesFrom() {
        assertThatThrownBy(() -> Networks.usual("layers"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pass the jar that has it, as --network-jar FILE");
        assertThat(Networks.names()).doesNotContain("layers", "token-layers");
    }
}
