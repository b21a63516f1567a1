package org.fleetgrad.runs.search;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * command has used. Thread-safe.
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
    private final int parallel;
    private final Map<Trial, Integer> numbers = new HashMap<>();
    /** When the trials that train began, the first one first. */
    private final Map<Trial, Long> running = new LinkedHashMap<>();

    private volatile @Nullable Best best;

    private record Best(Trial trial, Measure measure) {}

    SearchProgress(SearchPlan plan, List<Trial> trials, KeptRuns runs, RunOutput output, int parallel) {
        this.plan = plan;
        this.trials = trials;
        this.runs = runs;
        this.output = output;
        this.parallel = parallel;
    }

    /** A rung begins. */
    synchronized void begin(int number, List<Trial> training) {
        rung = number;
        ofRung = training.size();
        begun = 0;
        numbers.clear();
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

    synchronized void next(Trial trial) {
        begun++;
        numbers.put(trial, begun);
    }

    /** Returns the same training, which is watched while it lasts. */
    TrialTraining following(TrialTraining training) {
        return (trial, words) -> {
            int number = started(trial);
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(SearchProgress::thread);
            try {
                long pace = Math.max(1, output.pace().toMillis());
                ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                        () -> line(trial, number).ifPresent(output::live), pace, pace, TimeUnit.MILLISECONDS);
                return training.train(trial, words);
            } finally {
                timer.shutdownNow();
                stopped(trial);
            }
        };
    }

    private synchronized int started(Trial trial) {
        int number = numbers.getOrDefault(trial, begun);
        output.tell("trial %d of %d: %s, %s".formatted(number, ofRung, trial.name(), trial.text()));
        running.put(trial, System.nanoTime());
        return number;
    }

    private synchronized void stopped(Trial trial) {
        Long begin = running.remove(trial);
        seconds += begin == null ? 0 : since(begin);
        used += plan.share(rung);
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
    synchronized void ended(Trial trial) {
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

    /** Returns the line of the trial that trains longest; empty for the others. */
    private synchronized Optional<String> line(Trial trial, int number) {
        Long begin = running.get(trial);
        if (begin == null || !running.keySet().iterator().next().equals(trial)) {
            return Optional.empty();
        }
        Best known = best;
        String reached = TrialState.of(trial, runs).best().map(Measure::text).orElse("no result yet");
        double spent = since(begin);
        double allSpent =
                running.values().stream().mapToDouble(SearchProgress::since).sum();
        return Optional.of(String.format(
                Locale.ROOT,
                "trial %d of %d%s  %.0f s  %s%s%s",
                number,
                ofRung,
                running.size() == 1 ? "" : " and %d more".formatted(running.size() - 1),
                spent,
                reached,
                known == null
                        ? ""
                        : "  best %s (%s)"
                                .formatted(known.measure().text(), known.trial().name()),
                timeLeft(allSpent).map(time -> "  " + time.text()).orElse("")));
    }

    private Optional<TimeLeft> timeLeft(double spent) {
        if (used <= 0) {
            return Optional.empty();
        }
        double pace = seconds / used;
        double rest = Math.max(0, left * pace - spent);
        double all = seconds + spent + rest;
        double wait = rest / parallel;
        return Optional.of(new TimeLeft(all <= 0 ? 1 : (seconds + spent) / all, wait, wait, wait));
    }
}
