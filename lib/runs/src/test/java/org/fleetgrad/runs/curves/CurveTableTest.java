package org.fleetgrad.runs.curves;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurveTableTest {

    private static final String HEAD =
            "time,seconds,version,train/loss,train/samples,train/samples_per_second,train/tokens_per_second,staleness/mean,workers,"
                    + "heldout/version,heldout/accuracy,heldout/accuracyTop5,heldout/loss,heldout/perplexity,heldout/bits_per_character,heldout/r2,heldout/rmse,heldout/auc,heldout/f1,heldout/micro_f1,heldout/macro_f1";
    private static final String ROW_4 = "1767323045.254,0.04,4,0.5,128,1600.5,,0.75,2,,,,,,,,,,,,";

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("curves.csv");
    }

    @Test
    void shouldWriteALineARowWhileTheRunGoesOn() throws IOException {
        try (CurveTable table = CurveTable.open(file, false)) {
            table.add(ExampleRows.row(4, null));
            assertThat(file).hasContent(HEAD + "\n" + ROW_4 + "\n");

            table.add(ExampleRows.row(
                    24,
                    CurveRow.HeldOut.ofClasses(
                            20,
                            0.75,
                            OptionalDouble.empty(),
                            OptionalDouble.of(0.00001),
                            new BinaryFigures(0.875, 0.5, 0.25, 1))));

            assertThat(Files.readAllLines(file))
                    .containsExactly(
                            HEAD,
                            ROW_4,
                            "1767323045.274,0.24,24,0.1,768,1600.5,,0.75,2,20,0.75,,0.00001,,,,,0.875,0.5,,");
        }
    }

    @Test
    void shouldGoOnBelowTheRowsOfTheRunThatItContinues() throws IOException {
        Files.writeString(file, HEAD + "\n" + ROW_4 + "\n1767323045.3,0.0");

        try (CurveTable table = CurveTable.open(file, true)) {
            table.add(ExampleRows.row(4, null));
        }

        assertThat(file).hasContent(HEAD + "\n" + ROW_4 + "\n1767323045.3,0.0\n" + ROW_4 + "\n");
    }

    @Test
    void shouldReplaceTheTableOfARunThatItDoesNotContinue() throws IOException {
        Files.writeString(file, HEAD + "\n" + ROW_4 + "\n");
        CurveTable.open(file, false).close();
        assertThat(file).hasContent(HEAD + "\n");
    }

    /** An older build wrote them. */
    @Test
    void shouldMoveATableOfOtherColumnsAside() throws IOException {
        for (String older : new String[] {"version,loss\n1,2\n", "version\n1\n"}) {
            Files.writeString(file, older);
            CurveTable.open(file, true).close();
            assertThat(file).hasContent(HEAD + "\n");
        }

        assertThat(folder.resolve("curves-1.csv")).hasContent("version,loss\n1,2\n");
        assertThat(folder.resolve("curves-2.csv")).hasContent("version\n1\n");
    }
}
