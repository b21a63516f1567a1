package org.fleetgrad.tools.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ShardPicturesTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir
    private Path folder;

    @Test
    void shouldShardPicturesOfAllSizesWithoutASplit() throws IOException {
        for (int i = 0; i < 10; i++) {
            Path file =
                    folder.resolve("pets").resolve(i % 2 == 0 ? "cat" : "dog").resolve(i + ".png");
            Files.createDirectories(file.getParent());
            ImageIO.write(new BufferedImage(9 + i, 7, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
        }
        Files.writeString(folder.resolve("pets/cat/broken.png"), "no image");
        Path out = folder.resolve("pet-shards");

        Cli refused = Cli.run("shard", folder.resolve("pets"), "--shards", 2, "--out", out);
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err())
                .contains(
                        "broken.png is neither a PNG nor a JPEG file; repair or remove it, or leave it out with --skip-broken");

        Cli sharded = Cli.run(
                "shard",
                folder.resolve("pets"),
                "--shards",
                2,
                "--skip-broken",
                "--hold-out",
                0.4,
                "--out",
                out,
                "--json");
        JsonNode json = MAPPER.readTree(sharded.out());
        assertThat(json.get("shape")).hasToString("[3,7,7]");
        assertThat(json.get("notes").toString())
                .contains(
                        "4 of 10 images are held out, a share of 0.4 of each class",
                        "10 images of 10 sizes, from 9 x 7 to 18 x 7, median 14 x 7 pixels: brought to 7 x 7",
                        "1 of 11 files are broken and left out");
        assertThat(ShardArchive.read(out.resolve("pets-test.tar.gz"))
                        .description()
                        .range()
                        .count())
                .isEqualTo(4);
    }
}
