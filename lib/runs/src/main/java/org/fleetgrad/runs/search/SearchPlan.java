package org.fleetgrad.runs.search;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.kept.RunLabel;
import org.fleetgrad.runs.settings.Until;

/**
 * What a search does, fixed before its first trial. Immutable.
 *
 * @param name       of the search: the tag of its trials, whose names begin with it
 * @param method     how values are chosen, and how long trials train
 * @param eta        with halving: the share of a rung's trials that trains on, as one of so many, and the factor of their budget
 * @param seed       of the drawing
 * @param variations the options that differ
 * @param words      the arguments of {@code fleetgrad train} that all trials have
 * @param directory  working directory of the trials, in which their paths are meant
 * @param drawn      the trials' values
 */
public record SearchPlan(
        String name,
        SearchMethod method,
        int eta,
        long seed,
        List<Variation> variations,
        List<String> words,
        Path directory,
        List<Drawn> drawn) {

    /** A trial's name has a dash and a number more. */
    private static final int LONGEST_NAME = 90;

    /**
     * The values of one trial.
     *
     * @param values in the order of the variations
     * @param until  where it ends
     */
    public record Drawn(List<String> values, Until until) {
        public Drawn {
            values = List.copyOf(values);
        }
    }

    /** @throws IllegalArgumentException if it is none that can be searched; the message says why */
    public SearchPlan {
        variations = List.copyOf(variations);
        words = List.copyOf(words);
        drawn = List.copyOf(drawn);
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "the name of a search may have %d characters; this one has %d: pass a shorter --name"
                            .formatted(LONGEST_NAME, name.length()));
        }
        Object unused = new RunLabel(Optional.of(name), List.of(name), Optional.empty());
        if (variations.stream().map(Variation::option).distinct().count() < variations.size()) {
            throw new IllegalArgumentException("an option is varied twice: write all of its values in one --vary");
        }
        if (drawn.isEmpty() || drawn.size() > TrialValues.MOST_TRIALS) {
            throw new IllegalArgumentException("a search has from 1 to %,d trials; this one has %,d"
                    .formatted(TrialValues.MOST_TRIALS, drawn.size()));
        }
        for (Drawn trial : drawn) {
            if (trial.values().size() != variations.size()) {
                throw new IllegalArgumentException("a trial has %d values for %d options: %s"
                        .formatted(trial.values().size(), variations.size(), Printable.text(trial.values() + "")));
            }
        }
        if (eta < 2) {
            throw new IllegalArgumentException("--eta must be 2 or more; it is " + eta);
        }
    }

    /**
     * Returns the trials.
     *
     * @param folder of the search
     */
    public List<Trial> trials(Path folder) {
        int digits = Integer.toString(drawn.size()).length();
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Map<String, String> values = new LinkedHashMap<>();
            for (int j = 0; j < variations.size(); j++) {
                values.put(variations.get(j).option(), drawn.get(i).values().get(j));
            }
            String called = "%s-%0" + digits + "d";
            String trial = called.formatted(name, i + 1);
            trials.add(new Trial(
                    i + 1, trial, folder.resolve(trial), values, drawn.get(i).until()));
        }
        return trials;
    }

    /**
     * Returns what a trial costs in a rung, as a share of a whole training: it goes on from the rung before.
     *
     * @param rung its number, from 0
     */
    public double share(int rung) {
        List<Rung> all = rungs();
        double before = rung == 0 ? 0 : 1.0 / all.get(rung - 1).divisor();
        return 1.0 / all.get(rung).divisor() - before;
    }

    /** Returns the rungs: one in which all trials train to their end, or with halving several. */
    public List<Rung> rungs() {
        return method == SearchMethod.HALVING
                ? Rung.halving(drawn.size(), eta, drawn.get(0).until())
                : List.of(new Rung(drawn.size(), 1));
    }
}
