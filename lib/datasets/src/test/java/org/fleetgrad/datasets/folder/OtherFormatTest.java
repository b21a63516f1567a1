package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherFormatTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sales.XLSX|an Excel workbook|pd.read_excel(\"%s\").to_csv(\"sales.csv\", index=False)",
                "sales.json|JSON|pd.read_json(\"%s\").to_csv(\"sales.csv\", index=False)",
                "sales.jsonl|a JSON object in each line|pd.read_json(\"%s\", lines=True).to_csv(\"sales.csv\", index=False)",
                "sales.feather|an Arrow file|pd.read_feather(\"%s\").to_parquet(\"sales.parquet\")",
                "sales.orc|an ORC file|pd.read_orc(\"%s\").to_parquet(\"sales.parquet\")",
                "sales.db|a database of SQLite|sqlite3.connect(\"%s\")).to_csv(\"sales.csv\", index=False)",
                "sales.zip|a zip archive|unzip \"%s\" -d \"sales\"",
            })
    void shouldSayWhatMakesAFileThatIsRead(String name, String what, String line) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "anything");
        TableOptions target = TableOptions.of(List.of("price"), List.of(), List.of());

        for (FolderOptions options : List.of(FolderOptions.NONE, FolderOptions.NONE.withTable(target))) {
            assertThatThrownBy(() -> DatasetFolder.read(file, options))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("%s is %s, which is not read.", name, what)
                    .hasMessageContaining(line, file);
        }
        assertThatThrownBy(() -> DatasetFolder.read(folder, FolderOptions.NONE))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no dataset is in it; understood are")
                .hasMessageContaining("%s is %s, which is not read.", name, what);
    }

    @Test
    void shouldSayNothingOfAFileThatNobodyKnows() throws IOException {
        Path file = Files.writeString(folder.resolve("a.xyz"), "anything");

        assertThatThrownBy(() -> DatasetFolder.read(file, FolderOptions.NONE))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("it is not a folder, and neither a .txt nor a .csv");
    }
}
