package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.networks.Networks.NetworkSummary;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTest {

    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    @Test
    void shouldListTheZoo() {
        assertThat(Networks.names())
                .containsExactly(
                        "bert",
                        "bert-base",
                        "gpt2",
                        "gpt2-medium",
                        "lenet5",
                        "mlp",
                        "mnist-cnn",
                        "resnet101",
                        "resnet110",
                        "resnet152",
                        "resnet18",
                        "resnet20",
                        "resnet32",
                        "resnet34",
                        "resnet44",
                        "resnet50",
                        "resnet56",
                        "series",
                        "tabular",
                        "tabular-resnet",
                        "vgg11",
                        "vgg11_bn",
                        "vgg13",
                        "vgg13_bn",
                        "vgg16",
                        "vgg16_bn",
                        "vgg19",
                        "vgg19_bn",
                        "vit",
                        "vit_b_16",
                        "vit_b_32",
                        "vit_l_16",
                        "vit_l_32",
                        "wrn-16-4",
                        "wrn-28-10");
        assertThat(Networks.listing()).extracting(NetworkSummary::name).isEqualTo(Networks.names());
    }

    @ParameterizedTest
    @CsvSource({
        "lenet5, fc3",
        "mlp, fc2",
        "mnist-cnn, fc2",
        "resnet20, fc",
        "resnet50, fc",
        "vgg11, classifier.6",
        "vgg19_bn?head=cifar, classifier.6"
    })
    void shouldHaveTheLastLinearLayerAsHead(String network, String layer) {
        NetworkDefinition definition = Networks.usual(network);

        assertThat(definition.head()).containsExactly(layer + ".weight", layer + ".bias");
        assertThat(definition.head())
                .allSatisfy(tensor ->
                        assertThat(definition.spec().layout().indexOf(tensor)).isPresent());
    }

    @Test
    void shouldSayInMetadataWhatEachParameterSetIsOf() {
        assertThat(Networks.usual("lenet5").spec().metadata())
                .isEqualTo(Map.of("network", "lenet5?classes=10&input=1x28x28"));
        assertThat(Networks.usual("resnet20").spec().metadata())
                .containsOnlyKeys("network", "state")
                .extractingByKey("state")
                .asString()
                .startsWith("0.1 bn1.running_mean\n0.1 bn1.running_var\n");
    }

    @Test
    void shouldDescribeLeNet5() {
        NetworkSpec spec = Networks.usual("lenet5").spec();

        assertThat(spec.name()).isEqualTo("lenet5?classes=10&input=1x28x28");
        assertThat(spec.inputShape()).containsExactly(1, 28, 28);
        assertThat(spec.inputSize()).isEqualTo(784);
        assertThat(spec.classes()).isEqualTo(10);
        assertThat(spec.state().isEmpty()).isTrue();
        assertThat(spec.layout().elementCount()).isEqualTo(61_706);
        assertThat(spec.layout().specs().stream().map(TensorSpec::name))
                .isSorted()
                .containsExactlyInAnyOrder(
                        "conv1.weight",
                        "conv1.bias",
                        "conv2.weight",
                        "conv2.bias",
                        "fc1.weight",
                        "fc1.bias",
                        "fc2.weight",
                        "fc2.bias",
                        "fc3.weight",
                        "fc3.bias");
    }

    /** The last three are He et al. 2016, table 6: 0.27, 0.85 and 1.7 million. */
    @ParameterizedTest
    @CsvSource({
        "lenet5, 61706, 0, 0.25",
        "mnist-cnn, 21840, 0, 0.09",
        "mlp, 203530, 0, 0.81",
        "resnet18, 11689512, 9600, 46.80",
        "vgg19, 143667240, 0, 574.67",
        "resnet20, 269722, 1376, 1.08",
        "resnet56, 853018, 4064, 3.43",
        "resnet110, 1727962, 8096, 6.94"
    })
    void shouldCountParametersAndState(String name, long parameters, long state, double megabytes) {
        NetworkSummary summary = Networks.listing().stream()
                .filter(listed -> listed.name().equals(name))
                .findFirst()
                .orElseThrow();

        assertThat(summary.spec().parameterCount()).isEqualTo(parameters);
        assertThat(summary.spec().stateCount()).isEqualTo(state);
        assertThat(summary.megabytes()).isEqualTo(megabytes, org.assertj.core.data.Offset.offset(0.005));
    }

    @ParameterizedTest
    @CsvSource({
        "lenet5, lenet5?classes=100&input=3x32x32",
        "mlp, mlp?classes=100&hidden=256&input=3x32x32",
        "mlp?hidden=9, mlp?classes=100&hidden=9&input=3x32x32",
        "resnet18, resnet18?classes=100&input=3x32x32&stem=cifar",
        "resnet18?stem=imagenet&classes=1000, resnet18?classes=1000&input=3x32x32&stem=imagenet",
        "resnet20, resnet20?classes=100&input=3x32x32",
        "vgg16_bn, vgg16_bn?classes=100&head=cifar&input=3x32x32",
        "vgg16_bn?input=3x32x32&head=torchvision, vgg16_bn?classes=100&head=torchvision&input=3x32x32"
    })
    void shouldCompleteWhatTheTextLeavesOpenFromTheDataset(String text, String complete) {
        NetworkSpec spec = Networks.named(text, CIFAR, 100).spec();

        assertThat(spec.name()).isEqualTo(complete);
        assertThat(spec.inputShape()).isEqualTo(CIFAR);
        assertThat(Networks.named(spec.name()).spec()).isEqualTo(spec);
    }

    /** BertConfig's pad_token_id is 0: its row is initially 0, and no other value is. */
    @Test
    void shouldBeginWithoutAnEmbeddingOfPadding() {
        NetworkDefinition bert = Networks.named("bert?width=8", new TextClassification(16, 20, 3, 5));
        float[] words = bert.initialValues("bert.embeddings.word_embeddings.weight", 7);

        assertThat(bert.spec().name())
                .isEqualTo(
                        "bert?classes=3&context=16&dropout=0.1&heads=2&layers=2&padding=5&positions=16&vocabulary=20&width=8");
        for (int i = 0; i < words.length; i++) {
            assertThat(words[i] == 0).as("value %d", i).isEqualTo(i / 8 == 5);
        }
        assertThat(bert.head()).containsExactly("classifier.weight", "classifier.bias");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bert?context=8|16|20|3|0|has a context of 8 tokens, the dataset's samples have 16",
                "bert?vocabulary=19|16|20|3|0|has a vocabulary of 19 tokens, the dataset has one of 20",
                "bert?padding=1|16|20|3|0|takes the token 1 as padding, the dataset's samples are filled up with 0",
                "bert?padding=20|16|20|3|0|padding of bert must be a number from 0 to 19; it is '20'",
                "bert?classes=2|16|20|3|0|has 2 classes, the dataset has 3",
                "bert-base|513|20|3|0|a position embedding has 512 positions; it gets 513 tokens"
            })
    void shouldRefuseTextsThatDoNotFit(
            String text, int context, int vocabulary, int classes, int padding, String message) {
        TextClassification task = new TextClassification(context, vocabulary, classes, padding);
        assertThatThrownBy(() -> Networks.named(text, task))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    static Stream<String> imageNetworks() {
        return Networks.names().stream().filter(name -> !name.matches("(gpt2|bert|tabular|series).*"));
    }

    /** Counts of Hugging Face's GPT-2 and BERT, and of torchvision's ViT-B/16; the wide ResNets' are 2.7 and 36.5 million in their paper. */
    @ParameterizedTest
    @CsvSource({
        "gpt2, 124439808",
        "gpt2?tied=no, 163037184",
        "gpt2-medium, 354823168",
        "bert-base, 109483778",
        "vit_b_16, 86567656",
        "wrn-16-4, 2748890",
        "wrn-28-10, 36479194"
    })
    void shouldHaveTheParametersOfThePublishedNetworks(String name, long parameters) {
        assertThat(Networks.usual(name).spec().parameterCount()).isEqualTo(parameters);
    }

    @Test
    void shouldTakeVocabularyAndContextFromATextDataset() {
        NetworkSpec spec = Networks.named("gpt2?layers=4&heads=4&width=128&dropout=0", new LanguageModel(64, 65))
                .spec();

        assertThat(spec.name())
                .isEqualTo("gpt2?context=64&dropout=0&heads=4&layers=4&tied=yes&vocabulary=65&width=128");
        assertThat(spec.inputShape()).containsExactly(64);
        assertThat(spec.task().output()).containsExactly(64, 65);
        assertThat(Networks.named(spec.name()).spec()).isEqualTo(spec);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpt2?context=32|the network 'gpt2?context=32' has a context of 32 tokens, the dataset's samples have 64",
                "gpt2?context=128|the network 'gpt2?context=128' has a context of 128 tokens, the dataset's samples have 64",
                "gpt2?vocabulary=64|the network 'gpt2?vocabulary=64' has a vocabulary of 64 tokens, the dataset has one of 65",
                "gpt2?heads=5|the heads must divide the width; there are 5 heads and a width of 768",
                "gpt2?dropout=1|dropout of gpt2 must be a decimal from 0 to below 1; it is '1'",
                "gpt2?tied=maybe|tied of gpt2 must be yes or no; it is 'maybe'",
                "gpt2?classes=65|the network gpt2 has no argument 'classes'; its arguments are context, dropout, heads, layers, tied, vocabulary, width",
                "lenet5|the network 'lenet5' takes images of [1, 28, 28] in 10 classes, the dataset has texts of 64 tokens of a vocabulary of 65"
            })
    void shouldRefuseWhatDoesNotFitAText(String text, String message) {
        assertThatThrownBy(() -> Networks.named(text, new LanguageModel(64, 65)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldCutATransformerBetweenAttentionAndPerceptron() {
        assertThat(Networks.named("gpt2?layers=2&heads=4&width=32&tied=no", new LanguageModel(64, 65))
                        .blocks())
                .extracting(Block::name)
                .containsExactly(
                        "transformer.wte",
                        "transformer.h.0",
                        "transformer.h.0.ln_2",
                        "transformer.h.1",
                        "transformer.h.1.ln_2",
                        "lm_head");
    }

    @ParameterizedTest
    @CsvSource({"64, cifar", "65, imagenet", "224, imagenet"})
    void shouldChooseTheStemByTheSizeOfTheImages(int side, String stem) {
        assertThat(Networks.named("resnet18", List.of(3, side, 8), 10).spec().name())
                .endsWith("stem=" + stem);
    }

    @ParameterizedTest
    @MethodSource("imageNetworks")
    void shouldTakeTheImagesOfCifar(String name) {
        NetworkDefinition definition = Networks.named(name, CIFAR, 10);

        assertThat(definition.layers().output(CIFAR)).containsExactly(10);
        assertThat(definition.layers().parts().size()).isGreaterThan(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resnet18?classes=10|the network 'resnet18?classes=10' has 10 classes, the dataset has 100",
                "resnet18?input=3x64x64|the network 'resnet18?input=3x64x64' takes images of [3, 64, 64], the dataset has [3, 32, 32]",
                "resnet18?steam=cifar|the network resnet18 has no argument 'steam'; its arguments are classes, input, stem",
                "resnet18?stem=mnist|stem of resnet18 must be cifar or imagenet; it is 'mnist'",
                "resnet20?stem=cifar|the network resnet20 has no argument 'stem'; its arguments are classes, input",
                "vgg11?head=none|head of vgg11 must be cifar or torchvision; it is 'none'",
                "mlp?hidden=0|hidden of mlp must be a number from 1 to 65536; it is '0'",
                "mlp?hidden=0256|hidden of mlp must be a number from 1 to 65536; it is '0256'",
                "lenet5?classes=65537|classes of lenet5 must be a number from 1 to 65536; it is '65537'",
                "lenet5?input=32x32|input of lenet5 must be channels, height and width, such as 3x32x32; it is '32x32'",
                "lenet5?classes=10&classes=10|the network 'lenet5?classes=10&classes=10' has the argument classes twice"
            })
    void shouldRefuseWhatDoesNotFit(String text, String message) {
        assertThatThrownBy(() -> Networks.named(text, CIFAR, 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resnet20?classes=abc|classes of resnet20 must be a number from 1 to 65536; it is 'abc'",
                "resnet20?input=3x32|input of resnet20 must be channels, height and width, such as 3x32x32; it is '3x32'",
                "resnet18?stem=mnist|stem of resnet18 must be cifar or imagenet; it is 'mnist'",
                "mlp?hidden=-1|hidden of mlp must be a number from 1 to 65536; it is '-1'",
                "gpt2?heads=5|the heads must divide the width; there are 5 heads and a width of 768",
                "bert?padding=x|padding of bert must be a number from 0 to 1048575; it is 'x'",
                "tabular?hidden=x|hidden of tabular must be numbers from 1 to 65536, such as 128,64; it is 'x'",
                "tabular?categories=x|categories of tabular must be numbers of values, such as 31,1025, or none; it is 'x'",
                "tabular?classes=2&loss=huber|the network 'tabular?categories=none&classes=2&loss=huber&numbers=10' states classes and loss: a class has no distance",
                "series?kind=rnn|kind of series must be conv or lstm; it is 'rnn'",
                "series?input=3x32x32|input of series must be channels and length, such as 2x128; it is '3x32x32'",
                "series?input=4x1000000|a series has 1 to 1048576 values; it has 4 channels of 1000000",
                "series?hidden=5000|hidden of series must be a number from 1 to 4096; it is '5000'",
                "series?depth=3|the network series has no argument 'depth'; its arguments are classes, hidden, input, kind, layers, loss",
                "vit?dropout=1|dropout of vit must be a decimal from 0 to below 1; it is '1'",
                "resnet20?stem=cifar|the network resnet20 has no argument 'stem'; its arguments are classes, input"
            })
    void shouldRefuseWrongArgumentsBeforeThereIsADataset(String text, String message) {
        assertThatThrownBy(() -> Networks.requireArguments(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    /** Of images of 50 x 50 pixels, or of tokens that are more than usual, these are right. */
    @ParameterizedTest
    @ValueSource(strings = {"vit?patch=5", "bert?padding=1000000", "vgg11?classes=3", "lenet5", "gpt2?context=7"})
    void shouldLeaveToTheDatasetWhatDependsOnIt(String text) {
        assertThatCode(() -> Networks.requireArguments(text)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAStatedInputThatTheNetworkCannotTake() {
        assertThatThrownBy(() -> Networks.requireArguments("vit?patch=5&input=3x32x32"))
                .hasMessage("patch of vit must divide the sides of images of [3, 32, 32]; it is 5");
    }

    @Test
    void shouldSayWhichLayerCannotTakeTheImages() {
        assertThatThrownBy(() -> Networks.named("vgg11", List.of(1, 28, 28), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the network 'vgg11?classes=10&head=cifar&input=1x28x28' cannot take images of [1, 28, 28]: "
                                + "features: 20: a max-pooling has windows of 2 by 2, padding 0; it gets [512, 1, 1], which is too small");
        assertThatThrownBy(() -> Networks.named("lenet5", List.of(3, 8, 8), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("conv2: a convolution has windows of 5 by 5, padding 0; it gets [6, 4, 4]");
    }

    @Test
    void shouldRefuseAParameterSetThatCannotBeHeld() {
        assertThatThrownBy(() -> Networks.usual("mlp?hidden=65536&input=3x4096x4096"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("they must be float32, 2147483647 bytes at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resnet18|the network 'resnet18' does not say its input; write resnet18?input=...",
                "resnet18?input=3x32x32|the network 'resnet18?input=3x32x32' does not say its classes; write resnet18?classes=...",
                "resnet18?input=3x32x32&classes=10|the network 'resnet18?input=3x32x32&classes=10' does not say its stem; "
                        + "complete, it is 'resnet18?classes=10&input=3x32x32&stem=cifar'"
            })
    void shouldSayWhatACompleteNameLacks(String text, String message) {
        assertThatThrownBy(() -> Networks.named(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldSayWhichNetworksThereAre() {
        assertThatThrownBy(() -> Networks.usual("lenet6"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no network 'lenet6'; the networks are " + String.join(", ", Networks.names()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''", "LeNet5", "lenet5?", "lenet5?classes", "lenet5?classes=", "lenet5&a=b", "a b"})
    void shouldRefuseWhatIsNoName(String text) {
        assertThatThrownBy(() -> NetworkName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a network is a name such as resnet18, or one with arguments such as ")
                .hasMessageEndingWith("it is '%s'", text);
    }

    @Test
    void shouldWriteArgumentsSorted() {
        assertThat(NetworkName.parse("resnet18?stem=cifar&classes=7"))
                .hasToString("resnet18?classes=7&stem=cifar")
                .isEqualTo(NetworkName.parse("resnet18?classes=7&stem=cifar"));
    }
}
