package org.fleetgrad.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.tools.verify.ShardVerification.Finding;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardVerificationTest {

    private static final String SECOND = "digits-train-00001-of-00003.tar.gz";

    private final ShardVerification verification = new ShardVerification(ShardLimits.DEFAULT);

    @TempDir
    private Path folder;

    @BeforeEach
    void writeShards() throws IOException {
        ShardSet.write(folder, "digits", SyntheticDigits.generate(30, 1), SyntheticDigits.generate(10, 2), 3);
    }

    @Test
    void shouldFindAWholeSetValid() throws IOException {
        List<Finding> findings = verification.verify(folder);

        assertThat(findings).hasSize(5).allMatch(Finding::isValid);
        assertThat(verification.verify(folder.resolve("manifest.json"))).isEqualTo(findings);
        assertThat(verification.verify(folder.resolve(SECOND))).containsExactly(findings.get(1));
    }

    @Test
    void shouldFindEveryFlippedByteOfAShard() throws IOException {
        Path file = folder.resolve(SECOND);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at += 97) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            Files.write(file, flipped);

            List<Finding> findings = verification.verify(folder);
            assertThat(findings.get(1).problem()).startsWith(file + " breaks rule MANIFEST: it has the SHA-256 ");
            assertThat(findings).filteredOn(Finding::isValid).hasSize(4);
        }
    }

    @Test
    void shouldFindMissingAndCutFiles() throws IOException {
        Files.delete(folder.resolve(SECOND));
        Path test = folder.resolve("digits-test.tar.gz");
        long bytes = Files.size(test);
        Files.write(test, new byte[3]);

        List<Finding> findings = verification.verify(folder);

        assertThat(findings)
                .filteredOn(finding -> !finding.isValid())
                .extracting(Finding::problem)
                .containsExactly(
                        folder.resolve(SECOND) + " breaks rule MANIFEST: the manifest lists it, but it is missing",
                        test + " breaks rule MANIFEST: it has 3 bytes, the manifest states " + bytes);
    }

    @Test
    void shouldFindAManifestThatSaysSomethingElse() throws IOException {
        edit("\"name\" : \"digits\"", "\"name\" : \"numbers\"");

        assertThat(verification.verify(folder))
                .filteredOn(finding -> !finding.isValid())
                .hasSize(4)
                .first()
                .extracting(Finding::problem)
                .asString()
                .endsWith("breaks rule MANIFEST: its dataset.json differs from the manifest");
    }

    @Test
    void shouldFindASetWithAHole() throws IOException {
        String json = Files.readString(folder.resolve("manifest.json"));
        int begin = json.indexOf("{", json.indexOf("\"shards\""));
        int second = json.indexOf("\"file\" : \"" + SECOND);
        int secondObject = json.lastIndexOf("{", second);
        Files.writeString(folder.resolve("manifest.json"), json.substring(0, begin) + json.substring(secondObject));

        List<Finding> findings = verification.verify(folder);

        assertThat(findings.get(findings.size() - 1).problem())
                .isEqualTo(
                        "%s breaks rule MANIFEST: shard %s has SampleRange[first=10, count=10, total=30] where sample 0 was expected",
                        folder.resolve("manifest.json"), SECOND);
    }

    @Test
    void shouldFindASetWithoutItsEnd() throws IOException {
        String json = Files.readString(folder.resolve("manifest.json"));
        int third = json.lastIndexOf("{", json.indexOf("digits-train-00002"));
        int test = json.lastIndexOf("{", json.indexOf("digits-test"));
        Files.writeString(folder.resolve("manifest.json"), json.substring(0, third) + json.substring(test));

        List<Finding> findings = verification.verify(folder);

        assertThat(findings.get(findings.size() - 1).problem()).endsWith("the train shards end at sample 20 of 30");
    }

    @Test
    void shouldCheckTheArchivesOfAFolderWithoutManifest() throws IOException {
        Files.delete(folder.resolve("manifest.json"));
        Files.writeString(folder.resolve("broken.tar.gz"), "not a shard");

        List<Finding> findings = verification.verify(folder);

        assertThat(findings).hasSize(5);
        assertThat(findings.get(0).problem())
                .isEqualTo(folder.resolve("broken.tar.gz") + " breaks rule GZIP: Not in GZIP format");
        assertThat(findings.subList(1, 5)).allMatch(Finding::isValid);
    }

    @Test
    void shouldSayThatThereIsNothingToCheck(@TempDir Path empty) {
        assertThatThrownBy(() -> verification.verify(empty))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(empty + ": neither manifest.json nor *.tar.gz");
        assertThatThrownBy(() -> verification.verify(empty.resolve("a.tar.gz")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private void edit(String part, String replacement) throws IOException {
        Path manifest = folder.resolve("manifest.json");
        String json = Files.readString(manifest);
        assertThat(json).contains(part);
        Files.writeString(manifest, json.replace(part, replacement));
    }
}
