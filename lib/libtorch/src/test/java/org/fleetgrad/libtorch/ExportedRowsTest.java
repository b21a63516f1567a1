package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.networks.Question;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exported modules for rows of tables and for series, beside PyTorch: outputs, loss and each gradient. */
@Tag("whole")
class ExportedRowsTest {

    @TempDir
    private Path folder;

    private void export(String module, String input, String question, int outputs) throws Exception {
        assertThat(ExportedModule.export(
                        folder, "rows_and_series:" + module, input, 6, question, List.of("outputs=" + outputs)))
                .isEqualTo("written");
    }

    private static Task rows(Question question) {
        return new TableTask(13, List.of(), question);
    }

    private static Task series(Question question) {
        return new SeriesTask(3, 40, question);
    }

    @Test
    void shouldPredictANumberOfARowAsPyTorchDoes() throws Exception {
        export("Rows", "13", "number", 1);

        ExportedModule module = ExportedModule.open(folder, rows(new Regression(Loss.SQUARED)));

        module.requireSame();
        assertThat(module.definition().spec().name())
                .startsWith("graph?categories=none&graph=")
                .endsWith("&loss=squared&numbers=13");
        assertThatThrownBy(() -> ExportedModule.open(folder, rows(new OneClass(3))))
                .hasMessageContaining("the graph's output is [1], and that for 3 classes is [3]");
        assertThatThrownBy(() -> ExportedModule.open(folder, series(new OneClass(1))))
                .hasMessageContaining("takes rows of 13 numbers in 1 classes, the dataset has series of [3, 40]");
        assertThatThrownBy(
                        () -> ExportedModule.open(folder, new TableTask(12, List.of(7), new Regression(Loss.SQUARED))))
                .hasMessageContaining("takes rows of 13 numbers, the dataset has rows of 12 numbers and 1 categories");
    }

    @Test
    void shouldPredictAClassOfARowAsPyTorchDoes() throws Exception {
        export("Rows", "13", "classes", 3);

        ExportedModule.open(folder, rows(new OneClass(3))).requireSame();
    }

    @Test
    void shouldPredictLabelsOfARowAsPyTorchDoes() throws Exception {
        export("Rows", "13", "labels", 3);

        ExportedModule.open(folder, rows(new Labels(3))).requireSame();
        assertThatThrownBy(() -> ExportedModule.open(folder, rows(new Labels(2))))
                .hasMessageContaining("the graph's output is [3], and that for 2 labels is [2]");
    }

    @Test
    void shouldPredictAClassOfASeriesAsPyTorchDoes() throws Exception {
        export("Series", "3x40", "classes", 4);

        ExportedModule.open(folder, series(new OneClass(4))).requireSame();
    }

    @Test
    void shouldPredictANumberOfASeriesAsPyTorchDoes() throws Exception {
        export("Series", "3x40", "number", 1);

        ExportedModule.open(folder, series(new Regression(Loss.SQUARED))).requireSame();
    }
}
