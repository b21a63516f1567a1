package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.DataSettings;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of many columns with embeddings: the widest that can be stored, and one that is wider. */
class FittingHeaderTest {

    /** Nine different words, of which each column has an index. */
    private static final int WORDS = 9;

    private static final String NAME = "tabular?categories=%s&dropout=0&hidden=128,64&loss=squared&numbers=0";

    @TempDir
    private Path folder;

    private RunSettings settings(int columns) throws IOException {
        StringBuilder rows = new StringBuilder(
                IntStream.range(0, columns).mapToObj(i -> "c" + i).collect(Collectors.joining(",", "", ",y\n")));
        for (int row = 0; row < 5 * WORDS; row++) {
            int shift = row;
            rows.append(IntStream.range(0, columns)
                            .mapToObj(i -> "w" + (i + shift) % WORDS)
                            .collect(Collectors.joining(",")))
                    .append(',')
                    .append(row * row)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("wide.csv"), rows);
        return ExampleSettings.of(
                new DataSettings(
                        Optional.of(file),
                        FolderOptions.NONE.withTable(TableOptions.of(List.of("y"), List.of(), List.of()))),
                2);
    }

    @Test
    void shouldPrepareATableOfHundredsOfEmbeddings() throws Exception {
        RunSettings settings = settings(700);

        PreparedDataset dataset = PreparedDataset.prepare(settings, folder.resolve("shards"), RunOutput.SILENT);

        String name = Networks.named("tabular", dataset.schema().task()).spec().name();
        assertThat(name).hasSizeGreaterThan(2_000).startsWith("tabular?categories=10,10,10,");
    }

    @Test
    void shouldRefuseATableWhoseNetworkHasTooLongAName() throws Exception {
        int most = (16_384 - NAME.length() + "%s".length() + ",".length()) / "10,".length();
        assertThatThrownBy(() -> FittingHeader.require(settings(most), PreparedDataset.read(settings(most))))
                .hasMessageContaining("bytes of header with generation and version; a reader accepts 1048576");

        RunSettings wider = settings(most + 1);

        assertThatThrownBy(() -> PreparedDataset.prepare(wider, folder.resolve("shards"), RunOutput.SILENT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith(
                        "the network does not fit the dataset wide: the name of a network has at most 16,384 characters; this has 16,38")
                .hasMessageEndingWith(
                        ". %,d of %,d columns are categories that have an embedding each; --drop leaves columns out, and --column NAME:number makes a number of one"
                                .formatted(most + 1, most + 1));
        assertThat(folder.resolve("shards")).doesNotExist();
    }
}
