package org.fleetgrad.runs.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.runs.settings.ServerSettings.DurabilityMode;
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
                new TrainingMode.Ssp(0),
                StalenessRule.parse("adaptive-delay-compensated:lambda=1"),
                DurabilityMode.NONE,
                Optional.of(Duration.ofMillis(1500)));

        assertThat(asked.environment(CHECKPOINTS, Optional.of("/old/checkpoints")))
                .isEqualTo(Map.of(
                        "PS_MODE", "ssp:max-lead=0",
                        "PS_STALENESS", "adaptive-delay-compensated:lambda=1",
                        "PS_DURABILITY_MODE", "none",
                        "PS_RESUMEFROM", "/old/checkpoints",
                        "PS_LEASE", "1500ms"));
    }

    @Test
    void shouldPassOnBackupWorkers() {
        ServerSettings asked = new ServerSettings(
                new TrainingMode.Sync(0, 2), new StalenessRule.None(), DurabilityMode.JOURNAL, Optional.empty());

        assertThat(asked.environment(CHECKPOINTS, Optional.empty()))
                .containsEntry("PS_MODE", "sync:backup-workers=2")
                .containsEntry("PS_DURABILITY_MODE", "journal");
    }

    @Test
    void shouldCountTheParameterSetsThatTheServerKeepsByItsSettings() {
        assertThat(ServerSettings.DEFAULT.moreCopies(8))
                .as("the best version on its way")
                .isEqualTo(2);
        assertThat(copies("delay-compensated", DurabilityMode.NONE)).isEqualTo(32);
        assertThat(copies("delay-compensated", DurabilityMode.CHECKPOINT))
                .as("a checkpoint begins with a copy, and there is a best version")
                .isEqualTo(64 + 2);
        assertThat(copies("look-ahead", DurabilityMode.NONE)).isEqualTo(8);
        assertThat(copies("adaptive-delay-compensated", DurabilityMode.NONE)).isEqualTo(32 + 8);
        ServerSettings parts = new ServerSettings(
                new TrainingMode.Sync(0, 0, new Aggregation.Median()),
                new StalenessRule.None(),
                2.5,
                DurabilityMode.NONE,
                new StartingPoint.Seeded(),
                2,
                CheckpointPace.DEFAULT,
                Optional.empty());
        assertThat(parts.moreCopies(8)).as("kept for the step, and staged").isEqualTo(16);
        assertThat(parts.environment(CHECKPOINTS, Optional.empty()))
                .containsEntry("PS_AGGREGATION", "median")
                .containsEntry("PS_MAXGRADIENTNORM", "2.5");
    }

    private static int copies(String rule, DurabilityMode durability) {
        return new ServerSettings(new TrainingMode.Async(1), StalenessRule.parse(rule), durability, Optional.empty())
                .moreCopies(8);
    }
}
