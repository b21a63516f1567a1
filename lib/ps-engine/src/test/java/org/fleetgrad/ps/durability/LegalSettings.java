package org.fleetgrad.ps.durability;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.optim.TrainingMode.StepSize;
import org.fleetgrad.ps.settings.TrainingSettings;

/** Every combination of mode, optimizer and staleness rule that is allowed. */
final class LegalSettings {

    static final int HISTORY = 3;

    private static final List<TrainingMode> MODES = List.of(
            new TrainingMode.Async(1),
            new TrainingMode.Async(3),
            new TrainingMode.Async(StepSize.ofSamples(5)),
            new TrainingMode.Sync(0),
            new TrainingMode.Sync(0, 1),
            new TrainingMode.Sync(0, 0, new Aggregation.Median()),
            new TrainingMode.Sync(0, 0, new Aggregation.Krum(1)),
            new TrainingMode.SyncBySamples(5),
            new TrainingMode.Ssp(1));

    private static final List<OptimizerSettings> OPTIMIZERS = List.of(
            new SgdSettings(0.5f, 0, false, 0),
            new SgdSettings(0.9f, 0, true, 0.1f),
            new AdamSettings(0.9f, 0.99f, 1e-8f, 0.1f, false),
            new AdamSettings(0.9f, 0.99f, 1e-8f, 0, true),
            new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.1f, false));

    private static final List<StalenessRule> RULES = List.of(
            new StalenessRule.None(),
            new StalenessRule.Damped(),
            new StalenessRule.DelayCompensated(0.5f),
            new StalenessRule.AdaptiveDelayCompensated(1.5f, 0.9f),
            new StalenessRule.GapAware(0.9f),
            new StalenessRule.LookAhead(),
            new StalenessRule.LookAheadSlim());

    private LegalSettings() {}

    static List<TrainingSettings> all() {
        List<TrainingSettings> all = new ArrayList<>();
        for (TrainingMode mode : MODES) {
            for (OptimizerSettings optimizer : OPTIMIZERS) {
                for (StalenessRule rule : RULES) {
                    try {
                        all.add(new TrainingSettings(
                                mode,
                                optimizer,
                                rule,
                                HISTORY,
                                new LearningRateSchedule.StepDecay(0.25f, 4, 0.5f),
                                TrainingSettings.DecayScope.EVERYTHING,
                                64,
                                0));
                    } catch (IllegalArgumentException illegal) { // Held elsewhere.
                    }
                }
            }
        }
        return all;
    }
}
