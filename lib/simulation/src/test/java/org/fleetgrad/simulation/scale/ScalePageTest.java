package org.fleetgrad.simulation.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.fleetgrad.reports.chart.ChartFiles;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/**
 * docs/scale.md says what the simulation says; {@code -Dscale.write=true} writes its tables and its picture, which takes some
 * minutes.
 */
class ScalePageTest {

    private static final Path PAGE = RepositoryRoot.path().resolve("docs/scale.md");
    private static final Path PICTURE = RepositoryRoot.path().resolve("docs/scale.svg");
    private static final String BEGIN = "<!-- tables: begin; ScalePageTest writes this -->\n";
    private static final String END = "<!-- tables: end -->\n";
    private static final Measured MEASURED = Measured.read();

    @Test
    void shouldSayWhatTheSimulationSays() throws IOException {
        if (Boolean.getBoolean("scale.write")) {
            write();
        }
        String page = Files.readString(PAGE);

        assertThat(page)
                .contains(new ScaleTable(MEASURED, ScaleNetwork.RESNET18).row(1, 1))
                .contains(new ScaleTable(MEASURED, ScaleNetwork.RESNET18_GPU).row(10, 1));
    }

    private static void write() throws IOException {
        String tables = Arrays.stream(ScaleNetwork.values())
                .parallel()
                .map(network -> "\n%s:\n\n%s".formatted(network.title(), new ScaleTable(MEASURED, network).markdown()))
                .collect(Collectors.joining());
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
        Files.writeString(PAGE, before + tables + "\n" + page.substring(page.indexOf(END)));
        ScaleTable drawn = new ScaleTable(MEASURED, ScaleNetwork.RESNET18_GPU);
        Files.writeString(PICTURE, ChartFiles.svg(new ScalePicture(drawn).draw()));
    }
}
