package org.fleetgrad.inference.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.inference.feedback.Feedback;
import org.fleetgrad.inference.feedback.FeedbackOutcome;
import org.fleetgrad.inference.feedback.Given;
import org.fleetgrad.inference.feedback.Label;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.testing.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** From an answer and its label to a shard, without the service around it. The test writes in place of the thread. */
@ExtendWith(OutputCaptureExtension.class)
class SampleCollectionTest {

    private static final Normalization NORMALIZATION = new Normalization(List.of(0f), List.of(1f));
    private static final List<String> CLASSES = List.of("cat", "dog");
    private static final ImageSchema SCHEMA = new ImageSchema(CLASSES, List.of(1, 1, 2), NORMALIZATION);
    private static final long TEN_INPUTS = 10 * (2 + KeptInputs.OVERHEAD);

    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong();

    private SampleCollection collection(int shardSamples, long folderBytes) throws IOException {
        return new SampleCollection(
                new LearningLimits(folder, TEN_INPUTS, shardSamples, Duration.ofMinutes(1), folderBytes),
                () -> Optional.of(SCHEMA),
                now::get);
    }

    private static Feedback feedback(SampleCollection collection) {
        return new Feedback(64, new byte[Feedback.KEY_BYTES], collection);
    }

    /** An answer to images whose pixels are these, two each. */
    private static String answer(Feedback feedback, List<String> classes, float... pixels) {
        int count = pixels.length / 2;
        PredictionResult result = new PredictionResult(
                new ParameterVersion("g", 1),
                new ServedNetwork("fake", new ImageClassification(List.of(1, 1, 2), classes.size()), 1),
                new ModelDescription(NORMALIZATION, classes),
                count,
                new float[count * classes.size()],
                List.of());
        Images request = new Images(new ImageShape(1, 1, 2), pixels);
        return feedback.idOf(result, result.predictions(), Optional.of(request)).orElseThrow();
    }

    private static FeedbackOutcome label(Feedback feedback, String answer, Label... labels) {
        return feedback.take(List.of(new Given(answer, List.of(labels))));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void shouldWriteLabelledImagesAsATrainingShardOfTheDataset() throws IOException {
        SampleCollection collection = collection(2, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        String answer = answer(feedback, CLASSES, 0, 255, 7.4f, 8.6f, 1, 2);

        label(feedback, answer, new Label.Named("dog"), new Label.Unknown(), new Label.Numbered(0));
        collection.write(false);

        assertThat(files())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("feedback-00000000-of-2-samples.tar.gz");
        Shard shard = ShardArchive.read(files().get(0));
        assertThat(shard.description().split()).isEqualTo(Split.TRAIN);
        assertThat(shard.description().schema()).isEqualTo(SCHEMA);
        ImageSamples samples = shard.images();
        assertThat(samples.images()).containsExactly(0, (byte) 255, 1, 2);
        assertThat(samples.labels().toArray()).containsExactly(1, 0);
        assertThat(collection.collected()).isEqualTo(2);
    }

    @Test
    void shouldLearnFromTheFirstLabelAloneAndFromNoneThatIsRefused() throws IOException {
        SampleCollection collection = collection(1, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        String answer = answer(feedback, CLASSES, 1, 2);

        assertThat(label(feedback, answer, new Label.Named("cow"))).isInstanceOf(FeedbackOutcome.UnfitLabel.class);
        assertThat(label(feedback, "AAAA", new Label.Numbered(1))).isInstanceOf(FeedbackOutcome.UnknownAnswer.class);
        label(feedback, answer, new Label.Numbered(1));
        assertThat(label(feedback, answer, new Label.Numbered(0))).isEqualTo(new FeedbackOutcome.Taken(0, 1));
        collection.write(true);

        assertThat(files()).hasSize(1);
        assertThat(ShardArchive.read(files().get(0)).images().labels().toArray())
                .containsExactly(1);
    }

    @Test
    void shouldForgetTheOldestInputsBeyondItsMemory() throws IOException {
        SampleCollection collection = collection(1, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        String oldest = answer(feedback, CLASSES, 1, 2);
        String newest = "";
        for (int i = 0; i < 10; i++) {
            newest = answer(feedback, CLASSES, 3, 4);
        }

        label(feedback, oldest, new Label.Numbered(1));
        label(feedback, newest, new Label.Numbered(1));
        collection.write(true);

        assertThat(collection.dropped(DropReason.FORGOTTEN)).isEqualTo(1);
        assertThat(collection.collected()).isEqualTo(1);
        assertThat(collection.inputBytes()).isEqualTo(TEN_INPUTS - 2 - KeptInputs.OVERHEAD);
    }

    @Test
    void shouldCloseAShardThatIsOldAndNoneThatIsYoungAndIncomplete() throws IOException {
        SampleCollection collection = collection(2, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        label(feedback, answer(feedback, CLASSES, 1, 2), new Label.Numbered(1));

        now.set(59_999);
        collection.write(false);
        assertThat(files()).isEmpty();

        now.set(60_000);
        collection.write(false);
        assertThat(files()).hasSize(1);
    }

    @Test
    void shouldTakeNoMoreLabelsThanTwoShardsUntilTheyAreWritten() throws IOException {
        SampleCollection collection = collection(2, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        for (int i = 0; i < 5; i++) {
            label(feedback, answer(feedback, CLASSES, i, i), new Label.Numbered(1));
        }
        collection.write(false);

        assertThat(collection.dropped(DropReason.BEHIND)).isEqualTo(1);
        assertThat(collection.collected()).isEqualTo(4);
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldDropTheOldestShardsBeyondTheirRoomOnTheDisk() throws IOException {
        SampleCollection collection = collection(1, 1);
        Feedback feedback = feedback(collection);
        for (int i = 0; i < 3; i++) {
            label(feedback, answer(feedback, CLASSES, i, i), new Label.Numbered(1));
            collection.write(false);
        }

        assertThat(files())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("feedback-00000002-of-1-samples.tar.gz");
        assertThat(collection.dropped(DropReason.ROOM)).isEqualTo(2);
    }

    /** Only files are shards: a folder with something in it cannot be deleted, and a link has the size of what it names. */
    @Test
    void shouldMakeRoomWhateverElseLiesInItsFolder() throws IOException {
        Path other = Files.createDirectories(folder.resolve("feedback-00000000-of-1-samples.tar.gz/inside"));
        Path link = folder.resolve("feedback-00000001-of-7-samples.tar.gz");
        Files.createSymbolicLink(link, other);
        SampleCollection collection = collection(1, 1);
        Feedback feedback = feedback(collection);
        for (int i = 0; i < 3; i++) {
            label(feedback, answer(feedback, CLASSES, i, i), new Label.Numbered(1));
            collection.write(false);
        }

        assertThat(files()).filteredOn(Files::isRegularFile).hasSize(1);
        assertThat(collection.dropped(DropReason.ROOM)).isEqualTo(2);
        assertThat(collection.dropped(DropReason.UNWRITABLE)).isZero();
        assertThat(collection.collected()).isEqualTo(3);
    }

    /** The number after it has a digit more. */
    @Test
    void shouldMakeRoomAfterAPlantedShardWithALargeNumber() throws IOException {
        Files.writeString(folder.resolve("feedback-99999999-of-5-samples.tar.gz"), "planted");
        SampleCollection collection = collection(1, 1);
        Feedback feedback = feedback(collection);
        for (int i = 0; i < 4; i++) {
            label(feedback, answer(feedback, CLASSES, i, i), new Label.Numbered(1));
            collection.write(false);
        }

        assertThat(files())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("feedback-100000003-of-1-samples.tar.gz");
        assertThat(collection.dropped(DropReason.ROOM)).isEqualTo(5 + 3);
    }

    @Test
    void shouldGoOnAfterAShardThatCannotBeMade() throws IOException {
        AtomicReference<Optional<Schema>> schema = new AtomicReference<>(Optional.of(SCHEMA));
        SampleCollection collection = new SampleCollection(
                new LearningLimits(folder, TEN_INPUTS, 1, Duration.ofMinutes(1), Long.MAX_VALUE),
                schema::get,
                now::get);
        Feedback feedback = feedback(collection);
        label(feedback, answer(feedback, CLASSES, 1, 2), new Label.Numbered(1));
        schema.set(Optional.of(new ImageSchema(CLASSES, List.of(1, 2, 2), NORMALIZATION)));
        collection.write(false);
        schema.set(Optional.of(SCHEMA));
        label(feedback, answer(feedback, CLASSES, 3, 4), new Label.Numbered(1));
        collection.write(false);

        assertThat(collection.dropped(DropReason.UNWRITABLE)).isEqualTo(1);
        assertThat(collection.collected()).isEqualTo(1);
    }

    @Test
    void shouldContinueAfterAKillWithTheShardsThatAreThere() throws IOException {
        SampleCollection killed = collection(1, Long.MAX_VALUE);
        Feedback before = feedback(killed);
        label(before, answer(before, CLASSES, 1, 2), new Label.Numbered(1));
        killed.write(false);
        Files.writeString(folder.resolve(".feedback-00000001." + UUID.randomUUID() + ".tmp"), "torn");

        SampleCollection collection = collection(1, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        label(feedback, answer(feedback, CLASSES, 3, 4), new Label.Numbered(0));
        collection.write(false);

        assertThat(files())
                .extracting(Path::getFileName)
                .extracting(Path::toString)
                .containsExactly("feedback-00000000-of-1-samples.tar.gz", "feedback-00000001-of-1-samples.tar.gz");
    }

    @Test
    void shouldTakeNoSampleOfOtherClasses() throws IOException {
        SampleCollection collection = collection(1, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        label(feedback, answer(feedback, List.of("cow", "dog"), 1, 2), new Label.Numbered(1));
        label(feedback, answer(feedback, List.of("cat", "dog", "output 2"), 1, 2), new Label.Numbered(2));
        label(feedback, answer(feedback, List.of("cat", "dog", "output 2"), 1, 2), new Label.Numbered(1));
        collection.write(true);

        assertThat(collection.dropped(DropReason.OTHER_CLASSES)).isEqualTo(2);
        assertThat(collection.collected()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatTheDiskRefusesAndGoOn() throws IOException {
        SampleCollection collection = collection(1, Long.MAX_VALUE);
        Feedback feedback = feedback(collection);
        Files.delete(folder);
        label(feedback, answer(feedback, CLASSES, 1, 2), new Label.Numbered(1));
        collection.write(false);
        Files.createDirectory(folder);
        label(feedback, answer(feedback, CLASSES, 1, 2), new Label.Numbered(1));
        collection.write(false);

        assertThat(collection.dropped(DropReason.UNWRITABLE)).isEqualTo(1);
        assertThat(files()).hasSize(1);
    }

    @Tag("whole")
    @Test
    void shouldAnswerAndLeaveNoHalfShardWhileTheDiskIsFull(CapturedOutput output) throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "64k")) {
            SampleCollection collection = new SampleCollection(
                    new LearningLimits(disk.folder(), TEN_INPUTS, 1, Duration.ofMinutes(1), Long.MAX_VALUE),
                    () -> Optional.of(SCHEMA),
                    now::get);
            Feedback feedback = feedback(collection);
            Path filler = disk.folder().resolve("filler");
            assertThatThrownBy(() -> Files.write(filler, new byte[1 << 17])).hasMessageContaining("No space left");

            for (int i = 0; i < 3; i++) {
                String answer = answer(feedback, CLASSES, 1, 2);
                assertThat(label(feedback, answer, new Label.Numbered(1))).isInstanceOf(FeedbackOutcome.Taken.class);
                collection.write(false);
            }
            try (Stream<Path> files = Files.list(disk.folder())) {
                assertThat(files).containsExactly(filler);
            }
            Files.delete(filler);
            label(feedback, answer(feedback, CLASSES, 3, 4), new Label.Numbered(1));
            collection.write(false);

            assertThat(collection.dropped(DropReason.UNWRITABLE)).isEqualTo(3);
            Path written = disk.folder().resolve("feedback-00000003-of-1-samples.tar.gz");
            assertThat(ShardArchive.read(written).samples().count()).isEqualTo(1);
            assertThat(output.getAll().lines().filter(line -> line.contains("lost until one can be written")))
                    .singleElement()
                    .asString()
                    .contains("No space left on device");
            assertThat(output).containsOnlyOnce("feedback is written again; 3 samples were lost");
        }
    }

    @Test
    void shouldWriteWhatIsLeftWhenItIsClosed() throws IOException {
        try (SampleCollection collection = collection(100, Long.MAX_VALUE).start()) {
            Feedback feedback = feedback(collection);
            label(feedback, answer(feedback, CLASSES, 1, 2), new Label.Numbered(1));
        }

        assertThat(files()).hasSize(1);
    }
}
