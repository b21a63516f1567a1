package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.runs.settings.BadWorkers.Aggregation;
import org.fleetgrad.runs.settings.ServerSettings.DurabilityMode;
import org.fleetgrad.runs.settings.ServerSettings.Mode;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {

    private static final Path CHECKPOINTS = Path.of("/run/checkpoints");

    @Test
    void shouldKeepCheckpointsWhereNothingIsSaid() {
        assertThat(ServerSettings.DEFAULT.environment(CHECKPOINTS, Optional.empty()))
                .isEqualTo(Map.of(
                        "PS_MODE", "async",
                        "PS_STALENESS", "none",
                        "PS_DURABILITY_MODE", "checkpoint",
                        "PS_DURABILITY_LOCATION", "/run/checkpoints",
                        "PS_DURABILITY_CHECKPOINTINTERVAL", "10s"));
    }

    @Test
    void shouldPassOnWhatWasAsked() {
        ServerSettings asked = new ServerSettings(
                Mode.SSP,
                0,
                OptionalInt.of(0),
                StalenessRule.parse("adaptive-delay-compensated:lambda=1"),
                DurabilityMode.NONE,
                Optional.of(Duration.ofMillis(1500)));

        assertThat(asked.environment(CHECKPOINTS, Optional.of("/old/checkpoints")))
                .isEqualTo(Map.of(
                        "PS_MODE", "ssp",
                        "PS_MAXLEAD", "0",
                        "PS_STALENESS", "adaptive-delay-compensated:lambda=1",
                        "PS_DURABILITY_MODE", "none",
                        "PS_RESUMEFROM", "/old/checkpoints",
                        "PS_LEASE", "1500ms"));
    }

    @Test
    void shouldPassOnBackupWorkers() {
        ServerSettings asked = new ServerSettings(
                Mode.SYNC, 2, OptionalInt.empty(), new StalenessRule.None(), DurabilityMode.JOURNAL, Optional.empty());

        assertThat(asked.environment(CHECKPOINTS, Optional.empty()))
                .containsEntry("PS_MODE", "sync")
                .containsEntry("PS_BACKUPWORKERS", "2")
                .containsEntry("PS_DURABILITY_MODE", "journal");
    }

    @Test
    void shouldCountTheParameterSetsThatTheServerKeepsByItsSettings() {
        assertThat(ServerSettings.DEFAULT.moreCopies(8)).isZero();
        assertThat(copies("delay-compensated", DurabilityMode.NONE)).isEqualTo(32);
        assertThat(copies("delay-compensated", DurabilityMode.CHECKPOINT))
                .as("a checkpoint begins with a copy")
                .isEqualTo(64);
        assertThat(copies("look-ahead", DurabilityMode.NONE)).isEqualTo(8);
        assertThat(copies("adaptive-delay-compensated", DurabilityMode.NONE)).isEqualTo(32 + 8);
        BadWorkers median = new BadWorkers(Aggregation.MEDIAN, OptionalInt.empty(), 0);
        ServerSettings parts = new ServerSettings(
                Mode.SYNC,
                0,
                OptionalInt.empty(),
                new StalenessRule.None(),
                median,
                DurabilityMode.NONE,
                new StartingPoint.Seeded(),
                2,
                CheckpointPace.DEFAULT,
                Optional.empty());
        assertThat(parts.moreCopies(8)).as("kept for the step, and staged").isEqualTo(16);
    }

    private static int copies(String rule, DurabilityMode durability) {
        return new ServerSettings(
                        Mode.ASYNC, 0, OptionalInt.empty(), StalenessRule.parse(rule), durability, Optional.empty())
                .moreCopies(8);
    }
}
