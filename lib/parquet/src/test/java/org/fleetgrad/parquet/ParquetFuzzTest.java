package org.fleetgrad.parquet;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;

class ParquetFuzzTest {

    private static final int TAIL_BYTES = 8;

    /** A file is read, or refused: of these bytes alone, of a footer of them, and of pages of them under a footer that is right. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        for (byte[] file : List.of(
                bytes, withFooter(bytes), withPages(bytes, "snappy.parquet"), withPages(bytes, "prefixes.parquet"))) {
            Path path = Files.createTempFile("fuzz", ".parquet");
            try {
                Files.write(path, file);
                Object unused = ParquetFiles.read(path, "y");
            } catch (InvalidDatasetException refused) {
                // As documented.
            } finally {
                Files.delete(path);
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
        byte[] file = Arrays.copyOf(ParquetFiles.bytes(name), ParquetFiles.bytes(name).length);
        int room = file.length
                - TAIL_BYTES
                - ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - TAIL_BYTES);
        System.arraycopy(pages, 0, file, 4, Math.min(pages.length, room - 4));
        return file;
    }
}
