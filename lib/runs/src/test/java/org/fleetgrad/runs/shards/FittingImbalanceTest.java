package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.ActivationParameters;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.DataSettings;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.fleetgrad.runs.settings.ImbalanceSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FittingImbalanceTest {

    @TempDir
    private Path folder;

    /** One of five rows is broken, and a tenth of each class is held out: 36 and 9 are trained on. */
    private DataSettings parts(String target) throws IOException {
        StringBuilder lines = new StringBuilder("age,state,cost\n");
        for (int i = 0; i < 50; i++) {
            lines.append(i % 13)
                    .append(i % 5 == 0 ? ",broken," : ",whole,")
                    .append(i + 0.5)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("parts.csv"), lines);
        return new DataSettings(
                Optional.of(file),
                FolderOptions.NONE.withTable(TableOptions.of(List.of(target), List.of(), List.of())));
    }

    private PreparedDataset prepared(String target, String weights) throws Exception {
        return PreparedDataset.prepare(settings(target, weights), folder.resolve("shards"), RunOutput.SILENT);
    }

    private RunSettings settings(String target, String weights) throws IOException {
        RunSettings settings = ExampleSettings.of(parts(target), 1);
        return settings.with(
                settings.optimization().with(new ImbalanceSettings(ClassWeighting.parse(weights), Sampling.BALANCED)));
    }

    @Test
    void shouldBalanceTheTrainingSamples() throws Exception {
        ClassWeights weights = prepared("state", "balanced").weights();

        assertThat(weights.factors()).containsExactly(45 / (2 * 9f), 45 / (2 * 36f));
        assertThat(FittingImbalance.shown(weights, List.of("broken", "whole")))
                .isEqualTo("class weights: broken 2.500, whole 0.6250");
        assertThat(prepared("state", "").weights().areEqual()).isTrue();
    }

    @Test
    void shouldReachTheWorkersOnceTheDatasetIsRead() throws Exception {
        RunSettings asked = settings("state", "broken=4.5");
        ServerAddresses server = ServerAddresses.parse("apihost", "http://ps");

        assertThatThrownBy(() -> ActivationParameters.of(asked, server, Optional.empty(), 1))
                .isInstanceOf(IllegalStateException.class);
        ClassWeights weights = prepared("state", "broken=4.5").weights();
        RunSettings read = asked.with(
                asked.optimization().with(asked.optimization().imbalance().with(weights)));
        assertThat(ActivationParameters.of(read, server, Optional.empty(), 1))
                .contains(Map.entry("class_weights", "4.5,1.0"), Map.entry("sampling", "balanced"));
    }

    @Test
    void shouldNameTheClassesWhereOneIsWrong() {
        assertThatThrownBy(() -> prepared("state", "brocken=4.5"))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("--class-weights: there is no class 'brocken'; the classes are broken, whole, or their"
                        + " numbers 0 to 1");
        assertThatThrownBy(() -> prepared("state", "broken=0,whole=0"))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("--class-weights: every training sample would have the weight 0; the classes are broken,"
                        + " whole");
    }

    @Test
    void shouldRefuseBothWhereThereAreNoClasses() throws Exception {
        assertThatThrownBy(() -> prepared("cost", ""))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith(
                        "--sampling balanced is for samples that have a class each; the dataset parts has rows of");
        RunSettings settings = ExampleSettings.of(parts("cost"), 1);
        RunSettings weighed = settings.with(settings.optimization()
                .with(new ImbalanceSettings(ClassWeighting.parse("balanced"), Sampling.SHUFFLED)));
        assertThatThrownBy(() -> PreparedDataset.prepare(weighed, folder.resolve("shards"), RunOutput.SILENT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith(
                        "--class-weights are for samples that have a class each; the dataset parts has rows of");
    }
}
