package org.fleetgrad.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {

    private static final Path CHECKPOINTS = Path.of("/run/checkpoints");

    @Test
    void shouldKeepCheckpointsWhereNothingIsSaid() {
        assertThat(ServerSettings.DEFAULT.environment(CHECKPOINTS, Optional.empty()))
                .isEqualTo(Map.of(
                        "PS_MODE", "async",
                        "PS_STALENESS_RULE", "none",
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
                Staleness.ADAPTIVE_DELAY_COMPENSATED,
                DurabilityMode.NONE,
                Optional.of("old"),
                Optional.of(Duration.ofMillis(1500)));

        assertThat(asked.environment(CHECKPOINTS, Optional.of("/old/checkpoints")))
                .isEqualTo(Map.of(
                        "PS_MODE", "ssp",
                        "PS_MAXLEAD", "0",
                        "PS_STALENESS_RULE", "adaptive-delay-compensated",
                        "PS_DURABILITY_MODE", "none",
                        "PS_RESUMEFROM", "/old/checkpoints",
                        "PS_LEASE", "1500ms"));
    }

    @Test
    void shouldPassOnBackupWorkers() {
        ServerSettings asked = new ServerSettings(
                Mode.SYNC,
                2,
                OptionalInt.empty(),
                Staleness.NONE,
                DurabilityMode.JOURNAL,
                Optional.empty(),
                Optional.empty());

        assertThat(asked.environment(CHECKPOINTS, Optional.empty()))
                .containsEntry("PS_MODE", "sync")
                .containsEntry("PS_BACKUPWORKERS", "2")
                .containsEntry("PS_DURABILITY_MODE", "journal");
    }
}
