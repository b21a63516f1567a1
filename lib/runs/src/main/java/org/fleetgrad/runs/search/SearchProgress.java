package org.fleetgrad.runs.search;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.output.TimeLeft;
import org.jspecify.annotations.Nullable;

/**
 * Shows which trial trains, the best so far, and how long the rest takes: the budget that is left, at the speed of the budget that this
 * command has used.
 */
final class SearchProgress {

    private final SearchPlan plan;
    private final List<Trial> trials;
    private final KeptRuns runs;
    private final RunOutput output;
    private double seconds;
    private double used;
    private double left;
    private int rung;
    private int ofRung;
    private int begun;
    private volatile @Nullable Best best;

    private record Best(Trial trial, Measure measure) {}

    SearchProgress(SearchPlan plan, List<Trial> trials, KeptRuns runs, RunOutput output) {
        this.plan = plan;
        this.trials = trials;
        this.runs = runs;
        this.output = output;
    }

    /** A rung begins. */
    void begin(int number, List<Trial> training) {
        rung = number;
        ofRung = training.size();
        begun = 0;
        List<Rung> rungs = plan.rungs();
        left = 0;
        for (int i = number; i < rungs.size(); i++) {
            left += plan.share(i)
                    * (i == number ? training.size() : rungs.get(i).trials());
        }
        trials.forEach(this::compare);
        if (rungs.size() > 1) {
            output.tell("rung %d of %d: %d trials until %s"
                    .formatted(
                            number + 1,
                            rungs.size(),
                            training.size(),
                            rungs.get(number).until(trials.get(0))));
        }
    }

    void next(Trial trial) {
        begun++;
    }

    /** Returns the same training, which is watched while it lasts. */
    TrialTraining following(TrialTraining training) {
        return (trial, words) -> {
            output.tell("trial %d of %d: %s, %s".formatted(begun, ofRung, trial.name(), trial.text()));
            long begin = System.nanoTime();
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(SearchProgress::thread);
            try {
                long pace = Math.max(1, output.pace().toMillis());
                ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                        () -> output.live(line(trial, begin)), pace, pace, TimeUnit.MILLISECONDS);
                return training.train(trial, words);
            } finally {
                timer.shutdownNow();
                seconds += since(begin);
                used += plan.share(rung);
            }
        };
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "search-progress");
        thread.setDaemon(true);
        return thread;
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / (double) Duration.ofSeconds(1).toNanos();
    }

    /** A trial of a rung has ended, now or earlier. */
    void ended(Trial trial) {
        left -= plan.share(rung);
        compare(trial);
    }

    private void compare(Trial trial) {
        Optional<Measure> measure = TrialState.of(trial, runs).best();
        Best known = best;
        if (measure.isPresent() && (known == null || measure.get().isBetterThan(known.measure()))) {
            best = new Best(trial, measure.get());
        }
    }

    private String line(Trial trial, long begin) {
        Best known = best;
        String reached = TrialState.of(trial, runs).best().map(Measure::text).orElse("no result yet");
        double spent = since(begin);
        return String.format(
                Locale.ROOT,
                "trial %d of %d  %.0f s  %s%s%s",
                begun,
                ofRung,
                spent,
                reached,
                known == null
                        ? ""
                        : "  best %s (%s)"
                                .formatted(known.measure().text(), known.trial().name()),
                timeLeft(spent).map(time -> "  " + time.text()).orElse(""));
    }

    private Optional<TimeLeft> timeLeft(double spent) {
        if (used <= 0) {
            return Optional.empty();
        }
        double pace = seconds / used;
        double rest = Math.max(0, left * pace - spent);
        double all = seconds + spent + rest;
        return Optional.of(new TimeLeft(all <= 0 ? 1 : (seconds + spent) / all, rest, rest, rest));
    }
}
