package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTaskTest {

    private static final TableTask PRICES = new TableTask(6, List.of(31, 1025), new Regression(Loss.SQUARED));
    private static final TableTask CLASSES = new TableTask(30, List.of(), new OneClass(2));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tabular|tabular?categories=31,1025&dropout=0&hidden=128,64&loss=squared&numbers=6",
                "tabular?loss=huber&hidden=8|tabular?categories=31,1025&dropout=0&hidden=8&loss=huber&numbers=6",
                "tabular-resnet|tabular-resnet?categories=31,1025&dropout=0&layers=2&loss=squared&numbers=6&width=128"
            })
    void shouldCompleteANameForATable(String text, String complete) {
        NetworkSpec spec = Networks.named(text, PRICES).spec();

        assertThat(spec.name()).isEqualTo(complete);
        assertThat(Networks.named(complete).spec()).isEqualTo(spec);
        assertThat(spec.task().output()).containsExactly(1);
    }

    @Test
    void shouldHaveAnOutputForEachLabelAndNoOther() {
        TableTask task = new TableTask(30, List.of(), new Labels(3));
        NetworkSpec spec = Networks.named("tabular?hidden=8", task).spec();

        assertThat(spec.name()).isEqualTo("tabular?categories=none&dropout=0&hidden=8&labels=3&numbers=30");
        assertThat(Networks.named(spec.name()).spec()).isEqualTo(spec);
        assertThat(spec.task().output()).containsExactly(3);
        assertThat(spec.task().predictions()).isEqualTo(1);
        assertThat(spec.task().targets()).isEqualTo(3);
        assertThatThrownBy(() -> Networks.named("tabular?labels=4", task))
                .hasMessage("the network 'tabular?labels=4' has 4 labels, the dataset has 3");
        assertThatThrownBy(() -> Networks.named("tabular?classes=3", task))
                .hasMessage(
                        "the network 'tabular?classes=3' takes rows of 30 numbers in 3 classes, the dataset has rows of 30 numbers with 3 labels each");
        assertThatThrownBy(() -> Networks.named("tabular?labels=3&loss=huber", task))
                .hasMessageEndingWith("states labels and loss: it answers one question");
        assertThatThrownBy(() -> Networks.named("tabular?labels=1001", task))
                .hasMessage("labels of tabular must be a number from 1 to 1000; it is '1001'");
        assertThatThrownBy(() -> Networks.named("series?labels=3", new SeriesTask(1, 3, new OneClass(2))))
                .hasMessageStartingWith("the network series has no argument 'labels'");
    }

    @Test
    void shouldTurnLogOddsIntoProbabilities() {
        assertThat(Sigmoid.probabilities(new float[] {0, 1000, -1000, (float) Math.log(3)}))
                .containsExactly(0.5f, 1, 0, 0.75f);
    }

    @Test
    void shouldTakeMoreClassesThanTheTableHas() {
        assertThat(Networks.named("tabular?classes=5", CLASSES).spec().classes())
                .isEqualTo(5);
        assertThat(Networks.named("tabular", CLASSES).spec().name())
                .isEqualTo("tabular?categories=none&classes=2&dropout=0&hidden=128,64&numbers=30");
        assertThat(Networks.defaultFor(CLASSES)).isEqualTo("tabular");
    }

    /** The width of an embedding is fast.ai's: 1.6 31^0.56 = 10.9, 1.6 1025^0.56 = 77.6. */
    @Test
    void shouldEmbedTheCategories() {
        assertThat(Networks.named("tabular", PRICES).spec().layout().specs())
                .extracting(tensor -> tensor.name() + tensor.shape())
                .contains("embeddings.0.weight[31, 11]", "embeddings.1.weight[1025, 78]", "fc1.weight[128, 95]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tabular?classes=3|takes rows of 6 numbers and 2 categories of [31, 1025] values in 3 classes, the dataset has rows of 6",
                "tabular?classes=3&loss=huber|states classes and loss: a class has no distance",
                "tabular?loss=cubic|loss of tabular must be squared or absolute or huber; it is 'cubic'",
                "tabular?hidden=128,|hidden of tabular must be numbers from 1 to 65536, such as 128,64; it is '128,'",
                "tabular?hidden=0|hidden of tabular must be numbers from 1 to 65536, such as 128,64; it is '0'",
                "tabular?categories=31,0|categories of tabular must be numbers of values, such as 31,1025, or none; it is '31,0'",
                "tabular?categories=9999999|an embedded column has 1 to 1048576 values; it has 9999999",
                "tabular?numbers=7|takes rows of 7 numbers and 2 categories of [31, 1025] values, the dataset has rows of 6 numbers",
                "tabular?numbers=65537|numbers of tabular must be a number from 0 to 65536; it is '65537'",
                "tabular?depth=3|the network tabular has no argument 'depth'; its arguments are categories, classes, dropout, hidden, labels, loss, numbers",
                "lenet5|the network 'lenet5' takes images of [1, 28, 28] in 10 classes, the dataset has rows of 6 numbers"
            })
    void shouldRefuseWhatDoesNotFitATable(String text, String message) {
        assertThatThrownBy(() -> Networks.named(text, PRICES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /** A name is read on whatever stack: regular expressions must not take a frame for each number. */
    @Test
    void shouldNameATableOfThousandsOfEmbeddings() throws Exception {
        List<Integer> categories = new ArrayList<>(Collections.nCopies(5_400, 10));
        TableTask wide = new TableTask(0, categories, new Regression(Loss.SQUARED));
        FutureTask<NetworkSpec> found = new FutureTask<>(() -> Networks.named(
                        Networks.named("tabular?hidden=1", wide).spec().name())
                .spec());
        new Thread(null, found, "small", 200_000).start();

        assertThat(found.get().task()).isEqualTo(wide);
        assertThat(wide.samples())
                .isEqualTo("rows of 0 numbers and 5400 categories of [%s, and 5380 more] values"
                        .formatted(String.join(", ", Collections.nCopies(20, "10"))));
        categories.set(5_000, 11);
        assertThatThrownBy(() -> wide.requireFit("tabular", new TableTask(0, categories, wide.question())))
                .hasMessageEndingWith("; first different beyond those: category 5000 has 10 and 11");
        categories.addAll(Collections.nCopies(100, 10));
        assertThatThrownBy(() -> Networks.named("tabular", new TableTask(0, categories, wide.question())))
                .hasMessageStartingWith("the name of a network has at most 16,384 characters; this has 16,")
                .hasMessageContaining("'tabular?categories=10,10,");
    }

    /** A server finds the network of a parameter set so. */
    @Test
    void shouldNotCompleteACompleteName() {
        String complete = Networks.named("tabular", PRICES).spec().name();

        assertThat(Networks.usual(complete).spec().name()).isEqualTo(complete);
        assertThat(Networks.usual("tabular?loss=huber").spec().task().toString())
                .isEqualTo("rows of 10 numbers with a number each");
    }

    @Test
    void shouldNotAnswerANumberWithAClass() {
        assertThatThrownBy(() -> Networks.usual("tabular").spec().task().requireFit("tabular", PRICES))
                .hasMessage(
                        "the network 'tabular' takes rows of 10 numbers in 2 classes, the dataset has rows of 6 numbers and 2"
                                + " categories of [31, 1025] values with a number each");
        assertThatThrownBy(() -> Networks.named("tabular", new Task.LanguageModel(8, 9)))
                .hasMessageContaining("the dataset has texts of 8 tokens");
    }

    @Test
    void shouldRefuseRowsWithoutValues() {
        assertThatThrownBy(() -> new TableTask(0, List.of(), new OneClass(2)))
                .hasMessage("a row of a table has 1 to 65536 values; it has 0 numbers and 0 categories");
        assertThat(new TableTask(0, List.of(3), new OneClass(2)).input()).containsExactly(1);
    }
}
