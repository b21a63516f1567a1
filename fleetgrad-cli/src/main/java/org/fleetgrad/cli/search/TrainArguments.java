package org.fleetgrad.cli.search;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.cli.options.OptionCheck;
import org.fleetgrad.runs.search.SearchMethod;
import org.fleetgrad.runs.search.TrialWords;
import org.fleetgrad.runs.search.Variation;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.ServerSettings.DurabilityMode;
import org.fleetgrad.runs.settings.Until;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the arguments of a search's trials as {@code train} would, before anything is written. */
public final class TrainArguments {

    /** What each trial has its own way. */
    private static final Set<String> OWN = Set.of(
            "--out", "--name", "--resume", "--until", "--plan", "--keep", "--json", "--plain", "--help", "--version");

    /** What makes the results of a rung incomparable. */
    private static final Set<String> BUDGET = Set.of("--epochs", "--max-steps");

    private static final int NEAR = 3;

    /** A command whose options are those of a trial. */
    public interface Trainable {

        /** Returns the settings of the words that were parsed last, or refuses them. */
        RunSettings settings();
    }

    private final CommandSpec search;
    private final List<String> words;

    /**
     * @param search the command, which is told what is wrong
     * @param words  the arguments that all trials have
     */
    TrainArguments(CommandSpec search, List<String> words) {
        this.search = search;
        this.words = words;
    }

    private CommandLine train() {
        CommandLine root = search.commandLine().getParent();
        // A command line keeps the values of the words that it parsed last; each parse begins with the defaults.
        return Objects.requireNonNull(root.getSubcommands().get("train"));
    }

    /** Refuses options that {@code train} has not, or that a search sets itself. */
    void require(List<Variation> variations, SearchMethod method) {
        Set<String> options = train().getCommandSpec().optionsMap().keySet();
        for (Variation variation : variations) {
            String option = "--" + variation.option();
            OptionCheck.require(
                    search,
                    options.contains(option),
                    "--vary %s: train has no option %s%s".formatted(variation.option(), option, near(option, options)));
            OptionCheck.require(
                    search,
                    !OWN.contains(option),
                    "--vary %s: each trial has its own %s, which the search chooses"
                            .formatted(variation.option(), option));
            OptionCheck.require(
                    search,
                    method != SearchMethod.HALVING || !BUDGET.contains(option),
                    "--vary %s: --method halving shares out this budget itself; pass %s without --vary"
                            .formatted(variation.option(), option));
        }
        for (String word : words) {
            String option = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
            OptionCheck.require(
                    search,
                    !OWN.contains(option) || option.equals("--until"),
                    "%s is no option of a search: each trial has its own, or none".formatted(option));
        }
    }

    /**
     * Returns where a trial ends.
     *
     * @param number of the trial, from 1
     * @throws ParameterException if {@code train} refuses its options
     */
    Until until(List<Variation> variations, List<String> values, int number, SearchMethod method) {
        RunSettings settings;
        try {
            settings = settings(TrialWords.of(words, variations, values));
        } catch (ParameterException refused) {
            throw new ParameterException(
                    search.commandLine(),
                    "trial %d, %s: %s".formatted(number, said(variations, values), refused.getMessage()),
                    refused);
        }
        OptionCheck.require(
                search,
                method != SearchMethod.HALVING || settings.server().durability() != DurabilityMode.NONE,
                "--method halving needs checkpoints, from which the best trials train on: leave out --durability none");
        return settings.until()
                .orElseGet(() -> settings.maxSteps().isPresent()
                        ? Until.step(settings.maxSteps().getAsLong())
                        : Until.epochs(settings.epochs()));
    }

    private RunSettings settings(List<String> trial) {
        CommandLine train = train();
        train.parseArgs(trial.toArray(String[]::new));
        return ((Trainable) train.getCommand()).settings();
    }

    private static String said(List<Variation> variations, List<String> values) {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            said.append(i == 0 ? "" : ", ")
                    .append(variations.get(i).option())
                    .append(' ')
                    .append(values.get(i));
        }
        return said.toString();
    }

    /** Names the options that are the fewest changes of letters away. */
    private static String near(String wanted, Set<String> options) {
        int nearest = options.stream()
                .mapToInt(option -> changes(wanted, option))
                .min()
                .orElse(Integer.MAX_VALUE);
        if (nearest > NEAR) {
            return "; fleetgrad train --help lists them";
        }
        Set<String> near = new TreeSet<>();
        options.stream().filter(option -> changes(wanted, option) == nearest).forEach(near::add);
        return "; did you mean %s?".formatted(String.join(" or ", near));
    }

    /** Returns how many letters must be put in, left out or replaced (Levenshtein 1966). */
    private static int changes(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[other.length()];
    }
}
