package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunComparisonTest {

    private static final String HEAD = "time,seconds,version,train/loss,train/samples,heldout/accuracy\n";

    @TempDir
    private Path folder;

    private KeptRun run(String name, Map<String, String> settings, String rows) throws Exception {
        Path own =
                ExampleFacts.write(folder.resolve(name), ExampleFacts.of(name).with(settings));
        Files.writeString(own.resolve("curves.csv"), HEAD + rows);
        return KeptRuns.in(folder).look(own).orElseThrow();
    }

    @Test
    void shouldShowTheSettingsThatDifferAndAllResults() throws Exception {
        KeptRun one = run("one", Map.of("learningRate", "0.1", "mode", "async"), "");
        KeptRun two = run("two", Map.of("freeze", "conv1.*", "mode", "async"), "");

        RunComparison comparison = RunComparison.of(List.of(one, two));

        assertThat(comparison.settings())
                .containsOnly(
                        Map.entry("learningRate", List.of("0.1", "0.01")), Map.entry("freeze", List.of("", "conv1.*")));
        assertThat(comparison.results())
                .containsEntry("best held-out", List.of("accuracy 93.75%", "accuracy 93.75%"))
                .containsEntry("version", List.of("1,200", "1,200"))
                .containsEntry("accuracy", List.of("0.9375", "0.9375"));
        assertThat(comparison.curves()).isEmpty();
    }

    @Test
    void shouldReadCurvesOverTheSamplesAndLeaveOutWhatIsDamaged() throws Exception {
        KeptRun one = run(
                "one",
                Map.of(),
                "1,1,10,2.5,320,\n2,2,20,2.25,640,0.5\nx,3,30,nan?,960,\n4,4,40,2,1280,0.75\n5,5,50,1");
        // The server went back to the checkpoint of 320 samples, and made the rest again.
        KeptRun two = run("two", Map.of(), "1,1,10,2.5,320,\n2,2,20,9,640,\n3,3,20,3,640,\n4,4,30,NaN,960,\n");

        RunComparison comparison = RunComparison.of(List.of(one, two));

        List<List<List<Point>>> curves = List.copyOf(comparison.curves().values());
        assertThat(comparison.curves().keySet())
                .extracting(RunComparison.RunCurve::column)
                .containsExactly("heldout/accuracy", "train/loss");
        assertThat(curves.get(0).get(0)).containsExactly(new Point(640, 0.5), new Point(1280, 0.75));
        assertThat(curves.get(0).get(1)).isEmpty();
        assertThat(curves.get(1).get(0)).containsExactly(new Point(320, 2.5), new Point(640, 2.25), new Point(1280, 2));
        assertThat(curves.get(1).get(1)).containsExactly(new Point(320, 2.5), new Point(640, 3));
    }

    @Test
    void shouldThinOutALongCurveAndKeepItsEnd() throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int i = 1; i <= 9_999; i++) {
            rows.append("0,0,0,1,").append(i).append(",\n");
        }
        KeptRun one = run("one", Map.of(), rows.toString());
        KeptRun two = run("two", Map.of(), "0,0,0,1,5,\n");

        List<Point> points = RunComparison.of(List.of(one, two)).curves().values().stream()
                .findFirst()
                .orElseThrow()
                .get(0);

        assertThat(points).hasSizeBetween(1000, 2001);
        assertThat(points.get(points.size() - 1)).isEqualTo(new Point(9_999, 1));
    }

    @Test
    void shouldRefuseOneRunAlone() throws Exception {
        KeptRun one = run("one", Map.of(), "");

        assertThatThrownBy(() -> RunComparison.of(List.of(one, one)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("from 2 to 8 different runs can be compared; these are 1");
    }
}
