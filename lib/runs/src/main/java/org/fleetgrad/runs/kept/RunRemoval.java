package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * Removes runs: their folders and their entries in the index. Links in a folder are removed, and what they point to stays. A folder that
 * the user named may hold other things, too; they stay, and so does the folder then.
 */
public final class RunRemoval {

    /** What runs of workers and pipelines write into their folder, beside files of JSON, text and pictures. */
    private static final Pattern OF_A_RUN = Pattern.compile(
            "checkpoints|shards|logs|flushes|baseline|beginning|(run|report|pipeline|config|generation_config|tokenizer|tokenizer_config"
                    + "|special_tokens_map|vocab)\\.json|(merges|vocab|timeline)\\.txt|report\\.html|timeline\\.svg|curves(-\\d+)?\\.csv"
                    + "|model\\.safetensors|partition-\\d+\\.safetensors|(token|reader)\\.key|hs_err_pid\\d+\\.log|\\..*\\.tmp");

    private final KeptRuns runs;

    public RunRemoval(KeptRuns runs) {
        this.runs = runs;
    }

    /** Returns what a removal would leave in a run's folder, by its names, because no run writes such. */
    public List<String> others(KeptRun run) throws RunFailedException {
        List<String> others = new ArrayList<>();
        if (isOwn(run)) {
            return others;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(run.folder())) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (!OF_A_RUN.matcher(name).matches()) {
                    others.add(Printable.text(name));
                }
            }
        } catch (IOException unreadable) {
            throw failed(run, unreadable);
        }
        others.sort(null);
        return others;
    }

    /** The folder of runs holds nothing else. */
    private boolean isOwn(KeptRun run) {
        return runs.place().equals(run.folder().getParent());
    }

    /**
     * Refuses a run that must stay.
     *
     * @throws RunFailedException if it is running, or its folder is a link, or no run is in it any longer
     */
    public void requireRemovable(KeptRun run) throws RunFailedException {
        // It may have changed since it was listed.
        RunState state = runs.look(run.folder()).map(KeptRun::state).orElse(run.state());
        if (state == RunState.RUNNING) {
            throw RunFailedException.input(
                    "%s is running: fleetgrad runs stop %s ends it first".formatted(run.title(), run.title()));
        }
        if (state == RunState.ELSEWHERE) {
            throw RunFailedException.input("%s may be running on %s: remove %s there, or by hand"
                    .formatted(run.title(), run.facts().process().host(), run.folder()));
        }
        if (Files.isSymbolicLink(run.folder())) {
            throw RunFailedException.input(
                    "%s is a link to a folder: remove the link by hand, or pass the folder".formatted(run.folder()));
        }
        if (!KeptRuns.isRun(run.folder())) {
            throw RunFailedException.input("%s is no folder of a run any longer".formatted(run.folder()));
        }
    }

    /**
     * Removes a run.
     *
     * @throws RunFailedException as {@link #requireRemovable} does, or if a file cannot be removed
     */
    public void remove(KeptRun run) throws RunFailedException {
        requireRemovable(run);
        List<String> others = others(run);
        try {
            List<Path> entries = new ArrayList<>();
            try (DirectoryStream<Path> listed = Files.newDirectoryStream(run.folder())) {
                listed.forEach(entries::add);
            }
            Path facts = run.folder().resolve(FactsFile.NAME);
            for (Path entry : entries) {
                boolean isMarking = entry.equals(facts);
                if (!isMarking
                        && !others.contains(Printable.text(entry.getFileName().toString()))) {
                    FolderTree.delete(entry);
                }
            }
            // Last, so that a removal that is cut off leaves a run, which can be removed again.
            Files.deleteIfExists(facts);
            if (others.isEmpty()) {
                Files.deleteIfExists(run.folder());
            }
            runs.index().forget(run.folder());
        } catch (IOException failed) {
            throw failed(run, failed);
        }
    }

    private static RunFailedException failed(KeptRun run, IOException failed) {
        return RunFailedException.input("%s cannot be removed: %s".formatted(run.folder(), failed));
    }
}
