package org.fleetgrad.runs.curves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the files with TensorBoard itself. */
@Tag("whole")
class EventFileTest {

    /** Prints each scalar as [wall time, step, value], as TensorBoard's pages would show it. */
    private static final String READ = """
            import json, sys
            from tensorboard.backend.event_processing import event_accumulator
            run = event_accumulator.EventAccumulator(sys.argv[1], size_guidance={event_accumulator.SCALARS: 0})
            run.Reload()
            print(json.dumps({"version": run.file_version, "scalars":
                {tag: [[e.wall_time, e.step, e.value] for e in run.Scalars(tag)] for tag in run.Tags()["scalars"]}}))
            """;

    /** Reads the raw records, checks both CRCs, and decodes the protobufs. */
    private static final String RECORDS = """
            import glob, json, sys
            from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
            from tensorboard.compat.proto.event_pb2 import Event
            for file in sorted(glob.glob(sys.argv[1] + "/*")):
                for record in RawEventFileLoader(file, detect_file_replacement=False).Load():
                    event = Event.FromString(record)
                    print(event.WhichOneof("what"), event.step, [value.tag for value in event.summary.value])
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldBeReadByTensorBoardWhileTheRunGoesOn() throws IOException {
        // Not closed before it is read: each row is there when add returns.
        try (EventFile file = EventFile.create(folder, ExampleRows.BEGIN)) {
            file.begin(ExampleRows.row(0, null));
            file.add(ExampleRows.row(0, null));
            file.add(ExampleRows.row(300, ExampleRows.heldOut(250, 0.75)));

            JsonNode read = read();

            assertThat(read.path("version").asDouble()).isEqualTo(2);
            JsonNode scalars = read.path("scalars");
            assertThat(scalars.propertyNames())
                    .containsExactlyInAnyOrder(
                            "train/loss",
                            "train/samples",
                            "train/samples_per_second",
                            "staleness/mean",
                            "workers",
                            "heldout/accuracy",
                            "heldout/accuracyTop5",
                            "heldout/loss");
            assertThat(steps(scalars, "train/loss")).containsExactly(0L, 300L);
            assertThat(steps(scalars, "heldout/accuracy")).containsExactly(250L);
            assertThat(value(scalars, "train/loss", 0)).isEqualTo(2.5);
            assertThat(value(scalars, "train/loss", 1)).isCloseTo(2.5 / 301, within(1e-8));
            assertThat(value(scalars, "train/samples", 1)).isEqualTo(9600);
            assertThat(value(scalars, "train/samples_per_second", 1)).isEqualTo(1600.5);
            assertThat(value(scalars, "staleness/mean", 1)).isEqualTo(0.75);
            assertThat(value(scalars, "workers", 1)).isEqualTo(2);
            assertThat(value(scalars, "heldout/accuracy", 0)).isEqualTo(0.75);
            assertThat(value(scalars, "heldout/accuracyTop5", 0)).isEqualTo(0.9375);
            assertThat(value(scalars, "heldout/loss", 0)).isEqualTo(0.125);
            assertThat(scalars.path("workers").path(1).path(0).asDouble())
                    .isEqualTo((ExampleRows.BEGIN.toEpochMilli() + 300) / 1000.0);
        }
    }

    @Test
    void shouldBeginWithTheVersionOfTheFormat() throws IOException {
        try (EventFile file = EventFile.create(folder, ExampleRows.BEGIN)) {
            file.begin(ExampleRows.row(7, null));
            file.add(ExampleRows.row(7, ExampleRows.heldOut(5, 0.5)));
        }

        assertThat(Python.runWithTensorboard(RECORDS, folder.toString()).lines())
                .containsExactly(
                        "file_version 0 []",
                        "session_log 8 []",
                        "summary 7 ['train/loss', 'train/samples', 'train/samples_per_second', 'staleness/mean', 'workers']",
                        "summary 5 ['heldout/accuracy', 'heldout/accuracyTop5', 'heldout/loss']");
    }

    @Test
    void shouldContinueAnEarlierFileFromTheVersionOfItsCheckpoint() throws IOException {
        try (EventFile first = EventFile.create(folder, ExampleRows.BEGIN)) {
            first.begin(ExampleRows.row(0, null));
            for (long version : new long[] {0, 100, 200, 300}) {
                first.add(ExampleRows.row(version, ExampleRows.heldOut(version, 0.5)));
            }
        }
        // The checkpoint was of version 200: what the killed run made of it later is not part of this course.
        try (EventFile second = EventFile.create(folder, ExampleRows.BEGIN)) {
            second.begin(ExampleRows.row(200, null));
            second.add(ExampleRows.row(200, null));
            second.add(ExampleRows.row(280, null));
        }

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
        JsonNode scalars = read().path("scalars");
        assertThat(steps(scalars, "heldout/accuracy")).containsExactly(0L, 100L, 200L);
        assertThat(steps(scalars, "train/loss")).containsExactly(0L, 100L, 200L, 200L, 280L);
    }

    private JsonNode read() {
        List<String> lines =
                Python.runWithTensorboard(READ, folder.toString()).lines().toList();
        return JsonMapper.builder().build().readTree(lines.get(lines.size() - 1));
    }

    private static List<Long> steps(JsonNode scalars, String tag) {
        return scalars.path(tag)
                .valueStream()
                .map(point -> point.path(1).asLong())
                .toList();
    }

    private static double value(JsonNode scalars, String tag, int index) {
        return scalars.path(tag).path(index).path(2).asDouble();
    }
}
