package org.fleetgrad.ps.training;

import java.util.function.Supplier;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.TrainingListener;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.jspecify.annotations.Nullable;

/** The applier without a thread: its turn follows at once, in the thread that wakes it. So each push is a batch of its own. */
public final class InlineApplier implements Applier {

    private SubmissionQueue.@Nullable Turns turns;
    private boolean isTaking;

    private InlineApplier() {}

    /** Makes a training that has no thread. */
    public static Training training(
            TrainingSettings settings,
            Supplier<String> generations,
            PublishedParameters published,
            Leases leases,
            RunHistory course,
            TrainingListener listener,
            TrainingStore store) {
        return new Training(
                settings,
                generations,
                published,
                leases,
                course,
                listener,
                store,
                Origin.Beginning.Empty::new,
                new InlineApplier());
    }

    @Override
    public void start(SubmissionQueue.Turns ofQueue) {
        if (ofQueue.recover()) {
            turns = ofQueue;
        }
    }

    @Override
    public void wake() {
        SubmissionQueue.Turns mine = turns;
        if (mine == null || isTaking) {
            return;
        }
        isTaking = true;
        try {
            while (!mine.isIdle()) {
                mine.take();
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        } finally {
            isTaking = false;
        }
    }

    @Override
    public void close() {
        SubmissionQueue.Turns mine = turns;
        if (mine != null) {
            wake();
            mine.end(true);
        }
    }
}
