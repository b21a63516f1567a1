package org.fleetgrad.pipelineruns.flush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.DurableFolder;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.pipeline.run.StageMessage.Part;
import org.fleetgrad.runs.output.RunFailedException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The flushes of a run in a folder: each has a folder with a part of each stage, and {@code commit.json} names the newest
 * complete one. After a crash at any time, either the previous commit or the new one is valid. Used by one thread at a time.
 */
public final class FlushFolder {

    private static final String COMMIT = "commit.json";
    private static final String PREFIX = "flush-";
    private static final String BEGINNING = "beginning.safetensors";

    private final Path folder;
    private final boolean isShared;
    private final JsonMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * @param folder   of the flushes
     * @param isShared whether other users' programs write the parts, as in containers
     */
    public FlushFolder(Path folder, boolean isShared) {
        this.folder = folder;
        this.isShared = isShared;
    }

    /** Returns the folder. */
    public Path path() {
        return folder;
    }

    /**
     * Copies a model to where every stage can read it; the run needs it until its first flush.
     *
     * @return the copy
     */
    public Path begin(Path model) throws IOException {
        Path copy = folder.resolve(BEGINNING);
        Files.copy(model, copy, StandardCopyOption.REPLACE_EXISTING);
        if (isShared) {
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
        }
        return copy;
    }

    /** Makes the folder of a flush, before its parts are written. */
    public void prepare(long flush) throws IOException {
        Path made = of(flush);
        DurableFolder.create(made);
        if (isShared) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    private Path of(long flush) {
        return folder.resolve("%s%06d".formatted(PREFIX, flush));
    }

    /** Returns the files of a flush, in the order of the stages. */
    public List<Path> parts(FlushRecord commit) {
        return commit.parts().stream()
                .map(part -> of(commit.flush()).resolve(part.file()))
                .toList();
    }

    /** Commits a flush as the one to resume from. Then deletes the older ones, and parts of incomplete flushes. */
    public void commit(FlushRecord commit) throws IOException {
        for (Part part : commit.parts()) {
            Path file = of(commit.flush()).resolve(part.file());
            if (!Files.isRegularFile(file) || Files.size(file) != part.bytes()) {
                throw new IOException(
                        "%s is not the part of %d bytes that its stage wrote".formatted(file, part.bytes()));
            }
        }
        AtomicFile.write(folder.resolve(COMMIT), json.writeValueAsBytes(commit));
        Files.deleteIfExists(folder.resolve(BEGINNING));
        deleteOthers(commit.flush());
    }

    /** Deletes every flush but one: older ones, and uncommitted ones of a dead run. */
    public void deleteOthers(long flush) throws IOException {
        List<Path> others;
        try (Stream<Path> all = Files.list(folder)) {
            others = all.filter(each -> String.valueOf(each.getFileName()).startsWith(PREFIX))
                    .filter(each -> !each.equals(of(flush)))
                    .toList();
        }
        for (Path other : others) {
            try (Stream<Path> files = Files.list(other)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.delete(file);
                }
            }
            Files.delete(other);
        }
    }

    /**
     * Reads the last commit, and checks every byte of its parts.
     *
     * @return empty if there is none
     * @throws RunFailedException if it is damaged; the message names the file
     */
    public Optional<FlushRecord> last() throws RunFailedException {
        Path file = folder.resolve(COMMIT);
        try {
            FlushRecord commit = json.readValue(Files.readAllBytes(file), FlushRecord.class);
            for (int i = 0; i < commit.parts().size(); i++) {
                Path part = parts(commit).get(i);
                String digest = Sha256.of(part);
                if (!digest.equals(commit.parts().get(i).sha256())) {
                    throw RunFailedException.input("%s has the SHA-256 %s, its commit states %s: the flush is damaged"
                            .formatted(part, digest, commit.parts().get(i).sha256()));
                }
            }
            return Optional.of(commit);
        } catch (NoSuchFileException absent) {
            if (absent.getFile() != null && absent.getFile().endsWith(COMMIT)) {
                return Optional.empty();
            }
            throw RunFailedException.input("%s is missing, which %s names".formatted(absent.getFile(), file));
        } catch (JacksonException damaged) {
            throw RunFailedException.input(
                    "%s is no record of a flush: %s".formatted(file, damaged.getOriginalMessage()));
        } catch (IOException unreadable) {
            throw RunFailedException.input("%s cannot be read: %s".formatted(file, unreadable));
        }
    }

    /**
     * A complete flush: every stage's part of it is on disk. Written last.
     *
     * @param flush      number, from 1
     * @param microBatch index in the run of the first micro-batch after it
     * @param steps      made up to it
     * @param samples    trained on up to it
     * @param seconds    of training up to it
     * @param network    the network's complete name
     * @param cut        first block of each stage but the first
     * @param shards     number of samples of each shard
     * @param settings   options that must not change on resume, with their values
     * @param parts      one for each stage, in their order
     */
    public record FlushRecord(
            long flush,
            long microBatch,
            long steps,
            long samples,
            double seconds,
            String network,
            String cut,
            List<Integer> shards,
            Map<String, String> settings,
            List<Part> parts) {

        public FlushRecord {
            shards = List.copyOf(shards);
            parts = List.copyOf(parts);
        }
    }
}
