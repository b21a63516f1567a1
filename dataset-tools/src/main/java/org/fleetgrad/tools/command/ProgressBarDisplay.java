package org.fleetgrad.tools.command;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.fleetgrad.tools.Progress;
import org.jspecify.annotations.Nullable;

/** Shows progress as a bar on stderr. */
final class ProgressBarDisplay implements Progress {

    private @Nullable ProgressBar bar;

    @Override
    public void begin(String task, long total, String unit) {
        bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(" " + unit, 1)
                .showSpeed()
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
    }

    @Override
    public void reach(long done) {
        if (bar != null) {
            bar.stepTo(done);
        }
    }

    @Override
    public void end() {
        if (bar != null) {
            bar.close();
        }
    }
}
