package org.fleetgrad.datasets.folder;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;

/**
 * A format of files that people have, and that is not read.
 *
 * @param suffixes of its files, in small letters
 * @param what     it is
 * @param lines    what makes a file of it that is read; {@code %1$s} is the file, {@code %2$s} its name without the suffix
 */
record OtherFormat(List<String> suffixes, String what, String lines) {

    private static final String PANDAS = "In Python:\n  import pandas as pd\n  ";
    private static final String TO_CSV = ".to_csv(\"%2$s.csv\", index=False)";

    private static final List<OtherFormat> ALL = List.of(
            new OtherFormat(List.of(".xlsx", ".xls"), "an Excel workbook", PANDAS + "pd.read_excel(\"%1$s\")" + TO_CSV),
            new OtherFormat(List.of(".json"), "JSON", PANDAS + "pd.read_json(\"%1$s\")" + TO_CSV),
            new OtherFormat(
                    List.of(".jsonl", ".ndjson"),
                    "a JSON object in each line",
                    PANDAS + "pd.read_json(\"%1$s\", lines=True)" + TO_CSV),
            new OtherFormat(
                    List.of(".arrow", ".feather"),
                    "an Arrow file",
                    PANDAS + "pd.read_feather(\"%1$s\").to_parquet(\"%2$s.parquet\")"),
            new OtherFormat(
                    List.of(".orc"), "an ORC file", PANDAS + "pd.read_orc(\"%1$s\").to_parquet(\"%2$s.parquet\")"),
            new OtherFormat(
                    List.of(".sqlite", ".sqlite3", ".db"),
                    "a database of SQLite",
                    "In Python, with the name of its table:\n  import pandas as pd, sqlite3\n  pd.read_sql(\"SELECT * FROM sales\", sqlite3.connect(\"%1$s\"))"
                            + TO_CSV),
            new OtherFormat(
                    List.of(".zip"),
                    "a zip archive",
                    "Unpack it, and name the folder or the file in it:\n  unzip \"%1$s\" -d \"%2$s\"\n  ./fleetgrad train --data \"%2$s\""));

    OtherFormat {
        suffixes = List.copyOf(suffixes);
    }

    /** Says what a file is that is not read, and what makes one of it that is; empty if nobody knows. */
    static Optional<String> explain(Path file) {
        String name = String.valueOf(file.getFileName());
        for (OtherFormat format : ALL) {
            for (String suffix : format.suffixes) {
                if (name.toLowerCase(Locale.ROOT).endsWith(suffix)) {
                    String stem = name.substring(0, name.length() - suffix.length());
                    return Optional.of("%s is %s, which is not read. %s"
                            .formatted(
                                    Printable.text(name),
                                    format.what,
                                    format.lines.formatted(Printable.text(file.toString()), Printable.text(stem))));
                }
            }
        }
        return Optional.empty();
    }

    /** Explains the first of some files that has such a format. */
    static Optional<String> explain(Path folder, Collection<String> files) {
        return files.stream()
                .sorted()
                .map(file -> explain(folder.resolve(file)))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
