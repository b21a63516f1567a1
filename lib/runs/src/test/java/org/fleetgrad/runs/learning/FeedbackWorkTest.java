package org.fleetgrad.runs.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply.AddedWork;
import org.fleetgrad.protocol.messages.WorkMessages.AddWorkRequest;
import org.fleetgrad.runs.ExampleStatus;
import org.fleetgrad.testing.SmallDisk;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hand-over of collected shards, with a server that takes what the test lets it take. */
class FeedbackWorkTest {

    private static final Normalization NORMALIZATION = new Normalization(List.of(0f), List.of(1f));
    private static final ImageSchema SCHEMA = new ImageSchema(ClassNames.numbers(2), List.of(1, 1, 2), NORMALIZATION);

    @TempDir
    private Path run;

    private final List<AddWorkRequest> added = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private long nanos;

    private FeedbackFolder folder() {
        return FeedbackFolder.of(run.resolve("shards"));
    }

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectories(folder().shards());
        Files.createDirectories(folder().collected());
    }

    private FeedbackWork work() {
        return new FeedbackWork(
                folder(), SCHEMA, shard -> "file:" + shard.getFileName(), this::add, told::add, () -> nanos);
    }

    private boolean add(AddWorkRequest shard) {
        if (room == 0) {
            return false;
        }
        room--;
        added.add(shard);
        return true;
    }

    private void look(FeedbackWork work, @Nullable AddedWork known) throws Exception {
        nanos += Duration.ofSeconds(1).toNanos();
        work.look(status(known));
    }

    private static StatusReply status(@Nullable AddedWork known) {
        StatusReply.Work work = new StatusReply.Work("digits", 1, 1, 100, 0, 0, 0, false, known);
        return new ExampleStatus("g", 1, 0, null, null, null, null, null, work).reply();
    }

    private void collect(int number, ImageSchema schema, int... labels) throws IOException {
        byte[] bytes = new byte[labels.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) labels[i];
        }
        ShardArchive.write(
                Shard.of(
                        "feedback",
                        Split.TRAIN,
                        schema,
                        new SampleRange(0, labels.length, labels.length),
                        new ImageSamples(1, 1, 2, new byte[2 * labels.length], bytes)),
                folder().collected().resolve("feedback-%08d-of-%d-samples.tar.gz".formatted(number, labels.length)));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldMoveShardsToTheWorkAndNumberThemInTheirOrder() throws Exception {
        collect(11, SCHEMA, 1, 0);
        collect(12, SCHEMA, 1);

        look(work(), null);

        assertThat(added)
                .containsExactly(
                        new AddWorkRequest(
                                0L,
                                -1L,
                                "feedback-00000000-of-2-samples.tar.gz",
                                "file:feedback-00000000-of-2-samples.tar.gz",
                                2L),
                        new AddWorkRequest(
                                1L,
                                0L,
                                "feedback-00000001-of-1-samples.tar.gz",
                                "file:feedback-00000001-of-1-samples.tar.gz",
                                1L));
        assertThat(names(folder().collected())).isEmpty();
        assertThat(names(folder().shards())).hasSize(2);
        assertThat(told)
                .first()
                .asString()
                .isEqualTo("feedback: a shard of 2 samples is added to the work; learned from 0 so far");
    }

    @Test
    void shouldAddAfterAKillWhatWasMovedAndIsNotKnown() throws Exception {
        collect(0, SCHEMA, 1);
        room = 0;
        look(work(), null);
        assertThat(names(folder().shards())).containsExactly("feedback-00000000-of-1-samples.tar.gz");
        room = 1;

        look(work(), null);
        look(work(), new AddedWork(0, 1, 1, 0));

        assertThat(added).extracting(AddWorkRequest::number).containsExactly(0L);
    }

    @Test
    void shouldNumberOnwardFromWhatTheServerKnows() throws Exception {
        collect(0, SCHEMA, 1);

        look(work(), new AddedWork(41, 7, 3, 0));

        assertThat(added).extracting(AddWorkRequest::number).containsExactly(42L);
    }

    @Test
    void shouldLeaveWaitingWhatTheServerDoesNotTake() throws Exception {
        collect(0, SCHEMA, 1);
        collect(1, SCHEMA, 1);
        collect(2, SCHEMA, 1);
        room = 1;
        FeedbackWork work = work();

        look(work, null);
        look(work, new AddedWork(0, 0, 0, 1));

        assertThat(added).extracting(AddWorkRequest::number).containsExactly(0L);
        assertThat(names(folder().collected())).containsExactly("feedback-00000002-of-1-samples.tar.gz");
        work.tell(status(new AddedWork(0, 1, 1, 0)));
        assertThat(told).last().asString().isEqualTo("feedback: learned from 1 samples in 1 shards; 2 shards wait");
    }

    @Test
    void shouldTellTheServerNewAddressesOfWhatIsLeftAndAgainWhatARollbackUndid() throws Exception {
        collect(0, SCHEMA, 1);
        collect(1, SCHEMA, 1);
        look(work(), null);
        added.clear();

        // Another driver goes on.
        FeedbackWork next = work();
        look(next, new AddedWork(1, 1, 1, 1));
        assertThat(added).extracting(AddWorkRequest::number).containsExactly(0L, 1L);
        assertThat(added).extracting(AddWorkRequest::after).containsExactly(-1L, 0L);
        added.clear();

        look(next, new AddedWork(1, 1, 1, 1));
        assertThat(added).isEmpty();
        look(next, new AddedWork(0, 1, 1, 0));
        assertThat(added).extracting(AddWorkRequest::number).containsExactly(1L);
        assertThat(added).extracting(AddWorkRequest::after).containsExactly(0L);
    }

    @Test
    void shouldDropWhatWorkersCouldNotTrainOn() throws Exception {
        collect(0, new ImageSchema(ClassNames.numbers(3), List.of(1, 1, 2), NORMALIZATION), 2);
        Files.writeString(folder().collected().resolve("feedback-00000001-of-1-samples.tar.gz"), "torn");
        collect(2, SCHEMA, 1);

        look(work(), null);

        assertThat(added).hasSize(1);
        assertThat(names(folder().collected())).isEmpty();
        assertThat(told)
                .contains(
                        "feedback: feedback-00000000-of-1-samples.tar.gz is dropped: its samples are not like those of the run's dataset");
    }

    /** Whoever may write into the folder may plant what no service wrote: to open a pipe waits for ever. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldPassOverWhatIsNoFile() throws Exception {
        Path pipe = folder().collected().resolve("feedback-00000000-of-1-samples.tar.gz");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path planted = folder().collected().resolve("feedback-00000001-of-1-samples.tar.gz");
        Files.createDirectories(planted.resolve("inside"));
        Path elsewhere = run.resolve("elsewhere.tar.gz");
        collect(2, SCHEMA, 0);
        Files.move(folder().collected().resolve("feedback-00000002-of-1-samples.tar.gz"), elsewhere);
        Path link = folder().collected().resolve("feedback-00000002-of-1-samples.tar.gz");
        Files.createSymbolicLink(link, elsewhere);
        collect(3, SCHEMA, 1, 0);

        look(work(), null);

        assertThat(added).extracting(AddWorkRequest::samples).containsExactly(2L);
        assertThat(folder().waiting()).isEmpty();
        assertThat(elsewhere).exists();
    }

    /** As where a disk is full, or was taken away: a run of days does not end for its feedback. */
    @Test
    void shouldSayOnceThatItsFolderCannotBeUsedAndGoOnWhenItCan() throws Exception {
        collect(0, SCHEMA, 1);
        FeedbackWork work = work();
        Path away = run.resolve("away");
        Files.move(folder().shards(), away);

        look(work, null);
        look(work, null);
        work.tell(status(null));
        assertThat(told)
                .hasSize(2)
                .element(0)
                .asString()
                .startsWith("feedback waits, since its folder cannot be used: java.nio.file.NoSuchFileException");
        assertThat(told).last().asString().startsWith("feedback: its folder cannot be read: ");
        assertThat(added).isEmpty();
        Files.move(away, folder().shards());
        look(work, null);

        assertThat(added).hasSize(1);
        assertThat(names(folder().shards())).containsExactly("feedback-00000000-of-1-samples.tar.gz");
    }

    @Tag("whole")
    @Test
    void shouldPutShardsToWorkOnAFullDisk() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(run, "64k")) {
            makeFolders();
            collect(0, SCHEMA, 1);
            assertThatThrownBy(() -> Files.write(disk.folder().resolve("filler"), new byte[1 << 17]))
                    .hasMessageContaining("No space left");

            look(work(), null);

            assertThat(added).hasSize(1);
            assertThat(names(folder().collected())).isEmpty();
        }
    }

    @Test
    void shouldKeepNoMoreDoneShardsThanItsRoom() throws Exception {
        byte[] half = new byte[(int) (FeedbackFolder.MOST_BYTES / 2)];
        for (int i = 0; i < 4; i++) {
            Files.write(folder().shards().resolve("feedback-%08d-of-1-samples.tar.gz".formatted(i)), half);
        }

        look(work(), new AddedWork(3, 0, 0, 1));
        assertThat(names(folder().shards())).hasSize(4);

        look(work(), new AddedWork(3, 4, 4, 0));
        assertThat(names(folder().shards()))
                .containsExactly("feedback-00000002-of-1-samples.tar.gz", "feedback-00000003-of-1-samples.tar.gz");
    }

    @Test
    void shouldCollectSmallShardsOfASmallDataset() {
        assertThat(folder().environment(60_000)).containsEntry("INFERENCE_FEEDBACK_LEARN_SHARDSAMPLES", "1000");
        assertThat(folder().environment(2_000)).containsEntry("INFERENCE_FEEDBACK_LEARN_SHARDSAMPLES", "40");
        assertThat(folder().environment(10)).containsEntry("INFERENCE_FEEDBACK_LEARN_SHARDSAMPLES", "1");
    }
}
