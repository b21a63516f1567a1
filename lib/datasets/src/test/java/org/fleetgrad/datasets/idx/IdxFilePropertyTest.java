package org.fleetgrad.datasets.idx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.fleetgrad.datasets.idx.IdxFile.IdxArray;
import org.jspecify.annotations.Nullable;

class IdxFilePropertyTest {

    private static @Nullable Path file;

    @BeforeContainer
    static void createFile() throws IOException {
        file = Files.createTempFile("idx", ".bin");
    }

    @AfterContainer
    static void deleteFile() throws IOException {
        Files.deleteIfExists(file());
    }

    @Property(tries = 300)
    void shouldReadAnythingOrRefuseItWithTheTypedError(@ForAll boolean hasMagic, @ForAll @Size(max = 64) byte[] content)
            throws IOException {
        if (hasMagic && content.length >= 4) {
            content[0] = 0;
            content[1] = 0;
            content[2] = 8;
            content[3] = (byte) (content[3] & 3);
        }
        Files.write(file(), content);
        try {
            IdxArray array = IdxFile.read(file());
            assertThat(array.data().length).isLessThan(content.length);
        } catch (InvalidIdxException refused) {
            assertThat(refused).hasMessageContaining(file().toString());
        }
    }

    @Property(tries = 100)
    void shouldReadWhatItWrote(
            @ForAll @IntRange(max = 5) int rows, @ForAll @IntRange(max = 5) int columns, @ForAll byte value)
            throws IOException {
        byte[] data = new byte[rows * columns];
        Arrays.fill(data, value);
        IdxFile.write(new IdxArray(List.of(rows, columns), data), file());

        IdxArray read = IdxFile.read(file());

        assertThat(read.dimensions()).containsExactly(rows, columns);
        assertThat(read.data()).isEqualTo(data);
    }

    private static Path file() {
        return Objects.requireNonNull(file);
    }
}
