package org.fleetgrad.parquet;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.table.TableRows;

class ParquetFuzzTest {

    private static final int TAIL_BYTES = 8;

    /** A file is read, or refused: of these bytes alone, of a footer of them, and of pages of them under a footer that is right. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        for (byte[] contents : List.of(
                bytes, withFooter(bytes), withPages(bytes, "snappy.parquet"), withPages(bytes, "prefixes.parquet"))) {
            Path file = Files.createTempFile("fuzz", ".parquet");
            try {
                Files.write(file, contents);
                readAll(file);
            } catch (InvalidDatasetException refused) {
                // As documented.
            } finally {
                Files.delete(file);
            }
        }
    }

    private static void readAll(Path file) throws IOException {
        try (TableRows rows = new ParquetTables().open(file, bytes -> {})) {
            while (rows.next()) {
                for (int i = 0; i < rows.header().size(); i++) {
                    if (rows.isReadable(i)) {
                        Object unused = rows.get(i);
                    }
                }
            }
        }
    }

    private static byte[] withFooter(byte[] footer) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(HostileFile.text("PAR1"));
        file.writeBytes(footer);
        file.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(footer.length)
                .array());
        file.writeBytes(HostileFile.text("PAR1"));
        return file.toByteArray();
    }

    /** The pages of a column or two become the bytes. */
    private static byte[] withPages(byte[] pages, String name) throws IOException {
        byte[] file = ParquetFiles.bytes(name);
        int footer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - TAIL_BYTES);
        System.arraycopy(pages, 0, file, 4, Math.min(pages.length, file.length - TAIL_BYTES - footer - 4));
        return file;
    }
}
