package org.fleetgrad.runs.learning;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest;
import org.fleetgrad.runs.learning.FeedbackFolder.Numbered;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.shards.ShardHost;

/**
 * Puts collected shards of feedback to work (ADR 59). A shard's number is in its file's name before the server knows it, and the server takes a number
 * once: so a kill at any time loses no shard, and doubles none. Confined to the thread that watches the run.
 */
public final class FeedbackWork {

    /** Whoever gets one of these tries again at a later look. */
    private static final Set<ProblemKind> LATER =
            EnumSet.of(ProblemKind.WORK_FULL, ProblemKind.WORK_BEHIND, ProblemKind.NO_WORK);

    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final FeedbackFolder folder;
    private final Schema schema;
    private final ShardHost host;
    private final Adding server;
    private final Consumer<String> teller;
    private final LongSupplier nanos;
    private long looked;
    private boolean isFirst = true;
    private boolean isFailing;

    /** Adds a shard to the work. */
    @FunctionalInterface
    interface Adding {

        /** Returns whether the server has it; false if it takes no more now. */
        boolean add(AddWorkRequest shard) throws IOException, RunFailedException, InterruptedException;
    }

    FeedbackWork(
            FeedbackFolder folder,
            Schema schema,
            ShardHost host,
            Adding server,
            Consumer<String> teller,
            LongSupplier nanos) {
        this.folder = folder;
        this.schema = schema;
        this.host = host;
        this.server = server;
        this.teller = teller;
        this.nanos = nanos;
        this.looked = nanos.getAsLong() - LOOK_NANOS;
    }

    /**
     * Puts shards to the work of a run.
     *
     * @param schema what the samples of its dataset are
     * @param host   serves the shards to its workers
     * @param teller receives a line for each shard
     */
    public static FeedbackWork of(
            FeedbackFolder folder, Schema schema, ShardHost host, Services services, Consumer<String> teller) {
        return new FeedbackWork(
                folder, schema, host, shard -> services.ask(client -> add(client, shard)), teller, System::nanoTime);
    }

    /** Returns whether the server has the shard now; false if it takes no more. */
    static boolean add(PsClient client, AddWorkRequest shard) throws IOException {
        try {
            Object unused = client.addWork(shard);
            return true;
        } catch (ProblemException problem) {
            if (LATER.stream().anyMatch(problem.problem()::is)) {
                return false;
            }
            throw problem;
        }
    }

    /** Adds what waits, as far as the server takes it; looks once a second. */
    public void look(StatusReply status) throws IOException, RunFailedException, InterruptedException {
        StatusReply.Work work = status.work();
        if (work == null || nanos.getAsLong() - looked < LOOK_NANOS) {
            return;
        }
        looked = nanos.getAsLong();
        StatusReply.AddedWork added = work.added();
        long last = added == null ? -1 : added.last();
        try {
            boolean areAllKnown = addAgain(last, added != null && added.shardsLeft() > 0)
                    && addWaiting(last, added == null ? 0 : added.samples());
            if (areAllKnown && added != null && added.shardsLeft() == 0) {
                folder.makeRoom(last);
            }
            isFailing = false;
        } catch (FileSystemException unusable) {
            // The training does not depend on it, and each shard has its number or waits.
            if (!isFailing) {
                teller.accept("feedback waits, since its folder cannot be used: %s".formatted(unusable.toString()));
            }
            isFailing = true;
        }
    }

    /** Adds what the server does not know: a kill came between, or a rollback. Where shards have other addresses now, it learns them. */
    private boolean addAgain(long last, boolean areSomeLeft)
            throws IOException, RunFailedException, InterruptedException {
        long from = isFirst && areSomeLeft ? last - AddWorkRequest.MOST_REMEMBERED : last;
        long before = last;
        for (Numbered each : folder.atWork()) {
            if (each.number() > from) {
                if (!add(each, Math.min(before, each.number() - 1))) {
                    return false;
                }
                before = Math.max(before, each.number());
            }
        }
        isFirst = false;
        return true;
    }

    private boolean addWaiting(long last, long learned) throws IOException, RunFailedException, InterruptedException {
        long number = folder.atWork().stream().mapToLong(Numbered::number).reduce(last, Math::max) + 1;
        for (Path file : folder.waiting()) {
            OptionalLong samples = samples(file);
            Optional<Numbered> taken =
                    samples.isPresent() ? folder.take(file, number, samples.getAsLong()) : Optional.empty();
            if (taken.isPresent()) {
                // All before it are known, unless a rollback came after the status.
                boolean isTaken = add(taken.get(), number - 1);
                number++;
                teller.accept("feedback: a shard of %,d samples %s; learned from %,d so far"
                        .formatted(
                                taken.get().samples(),
                                isTaken ? "is added to the work" : "waits for the next epoch",
                                learned));
                if (!isTaken) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns how many samples a shard has; deletes one that workers could not train on. */
    private OptionalLong samples(Path file) throws IOException {
        String wrong;
        try {
            Shard shard = ShardArchive.read(file);
            if (shard.description().schema().equals(schema)) {
                return OptionalLong.of(shard.samples().count());
            }
            wrong = "its samples are not like those of the run's dataset";
        } catch (NoSuchFileException gone) {
            // Newer ones needed its room.
            return OptionalLong.empty();
        } catch (InvalidShardException broken) {
            wrong = String.valueOf(broken.getMessage());
        }
        teller.accept("feedback: %s is dropped: %s".formatted(file.getFileName(), wrong));
        Files.deleteIfExists(file);
        return OptionalLong.empty();
    }

    /** @param before what the server must know */
    private boolean add(Numbered shard, long before) throws IOException, RunFailedException, InterruptedException {
        return server.add(new AddWorkRequest(
                shard.number(),
                before,
                String.valueOf(shard.file().getFileName()),
                host.url(shard.file()),
                shard.samples()));
    }

    /** Says how much was learned from. */
    public void tell(StatusReply status) throws IOException {
        try {
            tellOf(status);
        } catch (FileSystemException unusable) {
            teller.accept("feedback: its folder cannot be read: %s".formatted(unusable.toString()));
        }
    }

    private void tellOf(StatusReply status) throws IOException {
        StatusReply.AddedWork added = Optional.ofNullable(status.work())
                .map(StatusReply.Work::added)
                .orElse(new StatusReply.AddedWork(-1, 0, 0, 0));
        long unknown = folder.atWork().stream()
                .filter(each -> each.number() > added.last())
                .count();
        teller.accept("feedback: learned from %,d samples in %,d shards; %,d shards wait"
                .formatted(
                        added.samples(), added.shardsDone(), folder.waiting().size() + unknown + added.shardsLeft()));
    }
}
