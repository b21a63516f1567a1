package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.RunFailedException;

/** The runs that lie in the folder of runs, and those that began beside it with folders elsewhere. Thread-safe. */
public final class KeptRuns {

    /** Environment variable that names the folder of runs, in place of {@code runs} in the working directory. */
    public static final String VARIABLE = "FLEETGRAD_RUNS";

    private static final String USUAL = "runs";

    private final RunIndex index;
    private final SmallFiles files;

    KeptRuns(Path runs, SmallFiles files) {
        this.index = new RunIndex(runs, files);
        this.files = files;
    }

    /** Returns the runs of a folder, which may be missing. */
    public static KeptRuns in(Path runs) {
        return new KeptRuns(runs, SmallFiles.ON_DISK);
    }

    /** Returns the folder of runs. */
    public static Path place(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        return Path.of(named.isBlank() ? USUAL : named);
    }

    /** Returns the folder of runs, absolute. */
    public Path place() {
        return index.runs();
    }

    RunIndex index() {
        return index;
    }

    /** Returns all runs, the newest first. */
    public List<KeptRun> all() throws RunFailedException {
        List<KeptRun> runs = new ArrayList<>();
        try {
            for (Path folder : index.folders()) {
                look(folder).ifPresent(runs::add);
            }
        } catch (IOException unreadable) {
            throw RunFailedException.input("the runs in %s cannot be listed: %s".formatted(place(), unreadable));
        }
        runs.sort(Comparator.comparing((KeptRun run) -> run.facts().began())
                .reversed()
                .thenComparing(KeptRun::folder));
        return runs;
    }

    /** Reads a folder; empty if no run is in it. */
    public Optional<KeptRun> look(Path folder) {
        try {
            if (FactsFile.isIn(folder)) {
                RunFacts facts = FactsFile.read(folder, files);
                return Optional.of(new KeptRun(folder, facts, state(facts), ""));
            }
            Optional<String> report = OldReport.in(folder);
            return report.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new KeptRun(folder, OldReport.read(folder, report.get(), files), RunState.ENDED, ""));
        } catch (NoSuchFileException goneMeanwhile) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException unreadable) {
            return Optional.of(unreadable(folder, String.valueOf(unreadable.getMessage())));
        }
    }

    /**
     * Adds a sentence to the note of a run that does not run. One that is there already is not added twice.
     *
     * @return why it could not be added; empty if it is there
     */
    public Optional<String> note(Path folder, String sentence) {
        Optional<KeptRun> run = look(folder);
        if (run.isEmpty()
                || run.get().state() == RunState.UNREADABLE
                || run.get().state() == RunState.RUNNING
                || !FactsFile.isIn(folder)) {
            return Optional.empty();
        }
        try {
            RunFacts noted = run.get().facts().noting(sentence);
            if (!noted.equals(run.get().facts())) {
                FactsFile.write(folder, noted);
            }
            return Optional.empty();
        } catch (IOException unwritable) {
            return Optional.of(
                    "the note of %s cannot be written: %s".formatted(run.get().title(), unwritable));
        }
    }

    /** Returns whether a run is in a folder, readable or not. */
    static boolean isRun(Path folder) {
        return FactsFile.isIn(folder) || OldReport.in(folder).isPresent();
    }

    private static KeptRun unreadable(Path folder, String problem) {
        Instant changed;
        try {
            changed = Files.getLastModifiedTime(folder).toInstant();
        } catch (IOException gone) {
            changed = Instant.EPOCH;
        }
        RunFacts facts = RunFacts.begun("", RunLabel.NONE, changed, RunProcess.NONE, Map.of());
        return new KeptRun(folder, facts, RunState.UNREADABLE, Printable.text(problem));
    }

    private static RunState state(RunFacts facts) {
        if (facts.end().isPresent()) {
            return facts.end().get().how();
        }
        if (facts.process().isElsewhere()) {
            return RunState.ELSEWHERE;
        }
        return facts.process().running().isPresent() ? RunState.RUNNING : RunState.KILLED;
    }

    /**
     * Finds a run by LAST or BEST, its name, the name of its folder, or its path.
     *
     * @throws RunFailedException if there is none, or more than one
     */
    public KeptRun find(String wanted) throws RunFailedException {
        return find(all(), wanted);
    }

    /**
     * Does the same among runs that were read before.
     *
     * @param all as {@link #all} returns them
     */
    public KeptRun find(List<KeptRun> all, String wanted) throws RunFailedException {
        String word = wanted.toUpperCase(Locale.ROOT);
        if (RunLabel.WORDS.contains(word)) {
            if (all.isEmpty()) {
                throw RunFailedException.input("there is no run in %s yet".formatted(place()));
            }
            return word.equals("LAST") ? all.get(0) : BestRun.of(all).run();
        }
        for (Predicate<KeptRun> isMeant : List.<Predicate<KeptRun>>of(
                run -> run.facts().label().name().filter(wanted::equals).isPresent(),
                run -> run.folderName().equals(wanted))) {
            List<KeptRun> meant = all.stream().filter(isMeant).toList();
            if (meant.size() > 1) {
                throw RunFailedException.input("%d runs are called '%s': pass the folder of one of them: %s"
                        .formatted(
                                meant.size(),
                                Printable.text(wanted),
                                meant.stream()
                                        .map(run -> run.folder().toString())
                                        .collect(Collectors.joining(", "))));
            }
            if (meant.size() == 1) {
                return meant.get(0);
            }
        }
        return ofPath(wanted)
                .orElseThrow(() -> RunFailedException.input(
                        "there is no run '%s': it is neither the name nor the folder of one of the %d runs in %s; fleetgrad runs lists them"
                                .formatted(Printable.text(wanted), all.size(), place())));
    }

    private Optional<KeptRun> ofPath(String wanted) {
        try {
            Path folder = Path.of(wanted).toAbsolutePath().normalize();
            return Files.isDirectory(folder) ? look(folder) : Optional.empty();
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /**
     * Makes the index of the folders elsewhere anew.
     *
     * @param places where runs may lie, too
     * @return how many runs lie outside of the folder of runs
     */
    public int rebuild(List<Path> places) throws RunFailedException {
        try {
            return index.rebuild(places, KeptRuns::isRun);
        } catch (IOException failed) {
            throw RunFailedException.input("the index in %s cannot be made anew: %s".formatted(place(), failed));
        }
    }
}
