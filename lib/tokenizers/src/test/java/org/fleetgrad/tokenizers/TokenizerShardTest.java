package org.fleetgrad.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dataset of texts with a tokenizer that is a file. */
class TokenizerShardTest {

    @TempDir
    private Path folder;

    private Path texts;

    @BeforeEach
    void writeTexts() throws IOException {
        texts = Files.createDirectories(folder.resolve("wood"));
        Files.writeString(texts.resolve("a.txt"), "how much wood would a woodchuck chuck?\n".repeat(40));
        Files.write(folder.resolve("bpe.json"), TrainedTokenizers.stored("bpe.json"));
    }

    private TextDataset read(String tokenizer) throws IOException {
        return read(texts, tokenizer);
    }

    private static TextDataset read(Path source, String tokenizer) throws IOException {
        FolderOptions options = new FolderOptions(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.of(tokenizer).filter(text -> !text.isEmpty()),
                OptionalInt.of(8));
        return (TextDataset) DatasetFolder.read(source, options);
    }

    @Test
    void shouldCarryTheFileInTheTestShardOnly() throws IOException {
        TextDataset dataset = read(folder.resolve("bpe.json").toString());
        ShardSet set = ShardSet.write(folder.resolve("shards"), dataset, 2);

        Shard test = ShardArchive.read(set.test());
        Shard train = ShardArchive.read(set.train().get(1));
        Tokenizer tokenizer = test.description().schema().textTokenizer().orElseThrow();

        assertThat(tokenizer.encode("wood"))
                .isEqualTo(dataset.schema().tokenizer().encode("wood"));
        assertThat(test.description().schema().tokenizerFile()).hasValue(TrainedTokenizers.stored("bpe.json"));
        assertThat(train.description().schema()).isEqualTo(test.description().schema());
        assertThat(train.description().schema().tokenizerFile()).isEmpty();
        assertThat(ShardManifest.read(set.manifest()).schema()).isEqualTo(dataset.schema());
    }

    @Test
    void shouldReadTheTokenizerBesideTheTexts() throws IOException {
        assertThat(read("").schema().tokenizer().text()).startsWith("characters:");

        Files.copy(folder.resolve("bpe.json"), texts.resolve("tokenizer.json"));

        assertThat(read("").schema().tokenizer()).isEqualTo(JsonTokenizer.read(folder.resolve("bpe.json")));
        assertThat(read(texts.resolve("a.txt"), "").schema()).isEqualTo(read("").schema());
        assertThat(read(texts.toString()).schema()).isEqualTo(read("").schema());
        assertThat(read("bytes").schema().tokenizer().text()).isEqualTo("bytes");
    }

    /** The file in the shard must be the one that the samples were made with. */
    @Test
    void shouldRefuseAnotherFile() throws IOException {
        JsonTokenizer named = (JsonTokenizer) Tokenizer.parse(
                read(folder.resolve("bpe.json").toString()).schema().tokenizer().text());
        byte[] other = TrainedTokenizers.stored("wordpiece.json");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> named.with(other))
                .withMessageContaining("the dataset states " + named.text().substring("tokenizer.json:284:".length()));
        JsonTokenizer larger = (JsonTokenizer) Tokenizer.parse(named.text().replace(":284:", ":285:"));
        byte[] same = TrainedTokenizers.stored("bpe.json");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> larger.with(same))
                .withMessage("tokenizer.json has 284 tokens, the dataset states 285");
    }
}
