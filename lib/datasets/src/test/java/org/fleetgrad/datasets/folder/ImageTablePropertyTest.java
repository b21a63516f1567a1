package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;

class ImageTablePropertyTest {

    /** There are no images, so each table is refused; the characters are those of quotes, paths and separators. */
    @Property(tries = 200)
    void shouldRefuseWhateverATableSaysWithAMessage(
            @ForAll @StringLength(max = 40) @CharRange(from = '\0', to = '1') String rows) throws IOException {
        Path folder = Files.createTempDirectory("tables");
        Path table = folder.resolve("labels.csv");
        try {
            Files.writeString(table, "path,label\n" + rows);
            assertThatThrownBy(() -> DatasetFolder.read(table, FolderOptions.NONE))
                    .isInstanceOf(InvalidDatasetException.class)
                    .hasMessageContaining("labels.csv");
        } finally {
            Files.deleteIfExists(table);
            Files.deleteIfExists(folder);
        }
    }
}
