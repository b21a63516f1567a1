package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.LabelledTextDataset;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.augment.EpochDraws;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.datasets.shard.ShardSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvReaderTest {

    @TempDir
    private Path folder;

    private static LabelledTextDataset read(Path source, String tokenizer, int context) throws IOException {
        return (LabelledTextDataset) DatasetFolder.read(
                source,
                new FolderOptions(
                        Optional.empty(), OptionalInt.empty(), Optional.of(tokenizer), OptionalInt.of(context)));
    }

    private LabelledTextDataset bytesOf(String csv) throws IOException {
        return read(Files.writeString(folder.resolve("a.csv"), csv), "bytes", 8);
    }

    /** Decodes the samples: of bytes, those of 256 fill up. */
    private static List<String> texts(LabelledTexts samples) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < samples.count(); i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < samples.context(); j++) {
                int token = samples.tokens().get(i * samples.context() + j);
                text.append(token == 256 ? "" : Character.toString(token));
            }
            texts.add(samples.labels().get(i) + ":" + text);
        }
        return texts;
    }

    @Test
    void shouldReadQuotedTextsInAnyOrderOfColumns() throws IOException {
        String csv = "text,note,label\r\n\"a, \"\"b\"\"\r\nc\",x,good\r\n\r\nd,,bad\r\ne,,bad\r\nf,,good\r\n";
        LabelledTextDataset dataset = bytesOf("\uFEFF" + csv);
        Set<String> all = new HashSet<>(texts(dataset.train()));
        all.addAll(texts(dataset.test()));

        assertThat(dataset.schema().classes()).containsExactly("bad", "good");
        assertThat(all).containsExactlyInAnyOrder("1:a, \"b\"\r\n", "0:d", "0:e", "1:f");
        assertThat(dataset.notes())
                .containsExactly("1 of 4 texts have more than 8 tokens, the longest 9: they are cut (--context)");
        assertThat(dataset.schema().task()).hasToString("texts of up to 8 tokens of a vocabulary of 257 in 2 classes");
    }

    /** As {@code DataFrame.to_csv} writes it: the column of the index has no name. */
    @Test
    void shouldLeaveOutAColumnWithoutAName() throws IOException {
        LabelledTextDataset dataset = bytesOf(",label,,text\n0,a,,x\n1,a,,y\n\n2,b,,z\n");

        assertThat(texts(dataset.train())).hasSize(2).contains("1:z");
        assertThat(texts(dataset.test())).hasSize(1).allMatch(text -> text.matches("0:[xy]"));
    }

    /** Of 50 and 20 texts, the same 5 and 2 each time; in an order in which the classes are mixed. */
    @Test
    void shouldHoldOutATenthOfEachClass() throws IOException {
        StringBuilder csv = new StringBuilder("label,text\n");
        for (int i = 0; i < 70; i++) {
            csv.append(i < 50 ? "a" : "b").append(",t").append(i).append('\n');
        }
        LabelledTextDataset dataset = bytesOf(csv.toString());
        List<String> train = texts(dataset.train());

        assertThat(texts(dataset.test()).stream().filter(text -> text.startsWith("0")))
                .hasSize(5);
        assertThat(texts(dataset.test()).stream().filter(text -> text.startsWith("1")))
                .hasSize(2);
        assertThat(train).hasSize(63).doesNotHaveDuplicates().doesNotContainAnyElementsOf(texts(dataset.test()));
        assertThat(train.subList(0, 31)).anyMatch(text -> text.startsWith("1"));
        assertThat(bytesOf(csv.toString())).isEqualTo(dataset);
    }

    @Test
    void shouldTakeAFileOfItsOwnAsHeldOut() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("train.csv.gz")))) {
            out.write("label,text\na,one\nb,two\n".getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(folder.resolve("test.csv"), "text,label\nthree,b\n");
        Files.writeString(folder.resolve("README.txt"), "of the data");

        LabelledTextDataset dataset = read(folder, "characters", 8);

        assertThat(dataset.train().count()).isEqualTo(2);
        assertThat(dataset.test().labels().toArray()).containsExactly(1);
        assertThat(dataset.schema().encoding().tokenizer().text()).isEqualTo("characters:ehnortw");
        Files.writeString(folder.resolve("test.csv"), "text,label\nthree,b\nthree,c\n");
        assertThatThrownBy(() -> read(folder, "characters", 8))
                .hasMessageContaining("test.csv: line 3 has the label 'c', which is none of the 2 classes of");
        Files.writeString(folder.resolve("val.csv"), "text,label\nthree,b\n");
        assertThatThrownBy(() -> read(folder, "characters", 8)).hasMessageContaining("there are 1 and 2");
    }

    @Test
    void shouldComeBackFromItsShards() throws IOException {
        LabelledTextDataset dataset =
                bytesOf("label,text\n" + "a,first\nb,second one that is long\nc,third\n".repeat(4));
        ShardSet set = ShardSet.write(folder.resolve("shards"), dataset, 2);
        Shard last = ShardArchive.read(set.train().get(1));
        float[] inputs = new float[16];
        float[] labels = new float[2];

        last.read(new int[] {1, 0}, new EpochDraws(Augmentation.NONE, 5, 2), inputs, labels);

        int first = last.description().range().first();
        LabelledTexts expected = dataset.train().slice(first, first + 2);
        for (int i = 0; i < 8; i++) {
            assertThat(inputs[i]).isEqualTo(expected.tokens().get(8 + i));
            assertThat(inputs[8 + i]).isEqualTo(expected.tokens().get(i));
        }
        assertThat(labels)
                .containsExactly(expected.labels().get(1), expected.labels().get(0));
        assertThat(last.inputSize()).isEqualTo(8);
        assertThat(last.targetCount()).isEqualTo(1);
        assertThat(ShardArchive.read(set.test()).samples()).isEqualTo(dataset.test());
        assertThat(ShardManifest.read(set.manifest()).schema()).isEqualTo(dataset.schema());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "label,words;a,b|line 1 must name the columns label and text, such as label,text; there is no 'text' in 'label,words'",
                "text;b|there is no 'label' in 'text'",
                "label,text|has no texts, only the names of columns",
                "label,text;a,b;,c|line 3 has an empty label",
                "label,text;a,\"b;c\";b, |line 4 has an empty text",
                "label,text;a|line 2 has 1 columns, and no 'text'",
                "label,text;a,b;a,c|all 2 rows have the label 'a'; a classifier needs 2 classes or more",
                "label,text;a,\"b\"c|is not CSV: ",
                "label,text;a,\"b|is not CSV: ",
                "label,label,text;a,b,c|is not CSV: ",
                "label,text;;;a,|line 4 has an empty text",
                "label,text;a,x;b,y|each of the 2 classes has one text, so none can be held out"
            })
    void shouldSayWhatIsWrong(String csv, String message) {
        assertThatThrownBy(() -> bytesOf(csv.replace(';', '\n') + "\n"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a.csv")
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseWhatIsNotUtf8WithItsLine() throws IOException {
        Path file = folder.resolve("a.csv");
        Files.write(file, "label,text\na,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> read(file, "bytes", 8))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a.csv is not UTF-8: byte 16 of 18, 0xe9 in line 2, begins no character");
    }

    /** A quoted field without an end takes what the file has: so the file is bounded. */
    @Test
    void shouldRefuseAFileThatIsTooLong() throws IOException {
        Path file = folder.resolve("a.csv");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(900_000_000);
        }
        assertThatThrownBy(() -> read(file, "bytes", 8))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("has 900000000 bytes; the most is 134217728");
        Files.writeString(folder.resolve("b.csv.gz"), "no gzip at all");
        assertThatThrownBy(() -> read(folder.resolve("b.csv.gz"), "bytes", 8)).hasMessageContaining("is not gzip");
    }
}
