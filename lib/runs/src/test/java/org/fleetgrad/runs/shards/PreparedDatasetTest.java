package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.datasets.text.Gpt2Tokenizer;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.output.SavedModel;
import org.fleetgrad.runs.settings.DataSettings;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedDatasetTest {

    @TempDir
    private Path folder;

    @Test
    void shouldGenerateDigitsAndCutThemForTheWorkers() throws Exception {
        PreparedDataset dataset =
                PreparedDataset.prepare(settings(Optional.empty()), folder.resolve("shards"), RunOutput.SILENT);

        assertThat(dataset.name()).isEqualTo("generated-digits");
        assertThat(dataset.shards().train()).hasSize(3);
        int samples = 0;
        for (Path file : dataset.shards().train()) {
            Shard shard = ShardArchive.read(file);
            samples += shard.samples().count();
        }
        assertThat(samples).isEqualTo(100).isEqualTo(dataset.train());
        assertThat(ShardArchive.read(dataset.shards().test()).images().images())
                .isEqualTo(((ImageSamples) dataset.test()).images());
    }

    @Test
    void shouldKeepTestDigitsApartFromTrainingDigits() throws Exception {
        PreparedDataset dataset = PreparedDataset.prepare(settings(Optional.empty()), folder, RunOutput.SILENT);

        assertThat(((ImageSamples) dataset.test()).slice(0, 20).images())
                .isNotEqualTo(SyntheticDigits.generate(100, 7).slice(0, 20).images());
    }

    @Test
    void shouldTakeTheUsersIdxFiles() throws Exception {
        Path idx = folder.resolve("idx");
        IdxDataset.write(idx, SyntheticDigits.generate(50, 1), SyntheticDigits.generate(20, 2));

        PreparedDataset dataset =
                PreparedDataset.prepare(settings(Optional.of(idx)), folder.resolve("shards"), RunOutput.SILENT);

        assertThat(dataset.name()).isEqualTo("idx");
        assertThat(dataset.train()).isEqualTo(50);
        assertThat(dataset.test().count()).isEqualTo(20);
    }

    @Test
    void shouldNotCallEveryDatasetOfSixtyThousandSamplesMnist() throws Exception {
        Path letters = folder.resolve("emnist-letters");
        byte[] labels = new byte[60_000];
        IdxDataset.write(
                letters,
                new ImageSamples(1, 1, 1, new byte[60_000], labels),
                new ImageSamples(1, 1, 1, new byte[10], new byte[10]));

        PreparedDataset dataset =
                PreparedDataset.prepare(settings(Optional.of(letters)), folder.resolve("shards"), RunOutput.SILENT);

        assertThat(dataset.train()).isEqualTo(60_000);
        assertThat(dataset.name()).isEqualTo("emnist-letters");
        assertThat(dataset.shards().test()).hasFileName("emnist-letters-test.tar.gz");
    }

    @Test
    void shouldCutShardsOfATenthOfTheStepsForARunThatEndsAfterFew() throws Exception {
        Path many = folder.resolve("many");
        IdxDataset.write(
                many,
                new ImageSamples(1, 1, 1, new byte[60_000], new byte[60_000]),
                new ImageSamples(1, 1, 1, new byte[10], new byte[10]));
        RunSettings settings = ExampleSettings.of(DataSettings.of(many), 3, OptionalLong.of(100));

        PreparedDataset dataset = PreparedDataset.prepare(settings, folder.resolve("shards"), RunOutput.SILENT);

        // A push of the example has 4 batches of 16 samples, so 10 of the 100 steps have 640.
        assertThat(dataset.shards().samples()).hasSize(94).allMatch(samples -> samples <= 640);
    }

    @Test
    void shouldCallTheDatasetWhatTheUserCallsIt() throws Exception {
        Path idx = folder.resolve("idx");
        IdxDataset.write(idx, SyntheticDigits.generate(50, 1), SyntheticDigits.generate(20, 2));
        RunSettings settings = ExampleSettings.of(
                new DataSettings(
                        Optional.of(idx), new FolderOptions(Optional.of("fashion-mnist"), OptionalInt.empty())),
                3);

        PreparedDataset dataset = PreparedDataset.prepare(settings, folder.resolve("shards"), RunOutput.SILENT);

        assertThat(dataset.name()).isEqualTo("fashion-mnist");
        ImageSchema schema = (ImageSchema) dataset.schema();
        assertThat(schema.classes()).startsWith("T-shirt/top").hasSize(10);
        assertThat(ShardArchive.read(dataset.shards().test()).description().schema())
                .isEqualTo(schema);
    }

    /** The example's network is LeNet-5, whose usual images have 28 x 28 pixels. */
    @Test
    void shouldBringPicturesToTheInputOfTheNetwork() throws Exception {
        Path photos = folder.resolve("photos");
        for (int i = 0; i < 4; i++) {
            Path file = photos.resolve(i % 2 == 0 ? "cat" : "dog").resolve(i + ".png");
            Files.createDirectories(file.getParent());
            ImageIO.write(new BufferedImage(40 + i, 30, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
        }

        PreparedDataset dataset = PreparedDataset.prepare(
                ExampleSettings.of(DataSettings.of(photos), 1, OptionalLong.empty()),
                folder.resolve("shards"),
                RunOutput.SILENT);

        assertThat(dataset.schema().task().input()).containsExactly(3, 28, 28);
        assertThat(dataset.notes())
                .containsExactly(
                        "2 of 4 images are held out, a share of 0.1 of each class, the same each time (--hold-out)",
                        "4 images of 4 sizes, from 40 x 30 to 43 x 30, median 42 x 30 pixels: brought to 28 x 28, the input of lenet5 (--image-size N for another size)");

        FolderOptions sized = new FolderOptions(Optional.empty(), OptionalInt.of(20));
        Path run = folder.resolve("run");
        PreparedDataset first = PreparedDataset.prepare(
                ExampleSettings.of(new DataSettings(Optional.of(photos), sized), 1),
                run.resolve("shards"),
                RunOutput.SILENT);
        assertThat(first.schema().task().input()).containsExactly(3, 20, 20);
        assertThat(PreparedDataset.read(ExampleSettings.resumed(run, DataSettings.of(photos)))
                        .schema()
                        .task()
                        .input())
                .as("a run that is resumed takes the same images")
                .containsExactly(3, 20, 20);
    }

    @Test
    void shouldCutATextAsTheModelOfItsBeginningTakesIt() throws Exception {
        Path model = Files.createDirectory(folder.resolve("gpt2"));
        String network = "gpt2?context=8&dropout=0&heads=1&layers=1&tied=yes&vocabulary=50257&width=2";
        NetworkSpec spec = Networks.named(network).spec();
        float[] values = new float[Math.toIntExact(spec.layout().elementCount())];
        SavedModel.write(TensorSet.ofFloats(spec.layout(), values, spec.metadata()), Optional.empty(), model);
        Path text =
                Files.writeString(folder.resolve("text.txt"), "To be, or not to be, that is the question. ".repeat(9));

        Dataset dataset = PreparedDataset.read(ExampleSettings.from(model, DataSettings.of(text)));

        assertThat(dataset.schema()).isEqualTo(new TextSchema(new Gpt2Tokenizer(), 8));
    }

    @Test
    void shouldRefuseAFolderWhoseNameCannotNameTheDataset() throws Exception {
        Path idx = folder.resolve("digits (new)");
        IdxDataset.write(idx, SyntheticDigits.generate(50, 1), SyntheticDigits.generate(20, 2));

        assertThatThrownBy(() ->
                        PreparedDataset.prepare(settings(Optional.of(idx)), folder.resolve("shards"), RunOutput.SILENT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("--dataset-name digits--new-");
    }

    @Test
    void shouldPrepareRealColourImages() throws Exception {
        Path cifar = SharedData.require("data/cifar10");

        PreparedDataset dataset =
                PreparedDataset.prepare(settings(Optional.of(cifar)), folder.resolve("shards"), RunOutput.SILENT);

        assertThat(dataset.name()).isEqualTo("cifar10");
        assertThat(dataset.train()).isEqualTo(10_000);
        assertThat(dataset.test().count()).isEqualTo(2_000);
        Shard shard = ShardArchive.read(dataset.shards().train().get(0));
        assertThat(shard.description().images().shape()).containsExactly(3, 32, 32);
        assertThat(shard.description().images().classes())
                .startsWith("airplane")
                .endsWith("truck");
    }

    @Test
    void shouldRefuseAFolderWithoutADatasetAsWrongInput() throws Exception {
        Path empty = Files.createDirectories(folder.resolve("empty"));

        assertThatThrownBy(() -> PreparedDataset.prepare(
                        settings(Optional.of(empty)), folder.resolve("shards"), RunOutput.SILENT))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        failed -> assertThat(failed.isInput()).isTrue())
                .hasMessageStartingWith("--data " + empty);
    }

    @Test
    void shouldRefuseMoreWorkersThanSamples() {
        RunSettings tooMany = ExampleSettings.of(Optional.empty(), 200);

        assertThatThrownBy(() -> PreparedDataset.prepare(tooMany, folder, RunOutput.SILENT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("200")
                .hasMessageContaining("100");
    }

    private static RunSettings settings(Optional<Path> data) {
        return ExampleSettings.of(data, 3);
    }
}
