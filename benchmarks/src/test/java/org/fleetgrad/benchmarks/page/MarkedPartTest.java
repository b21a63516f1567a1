package org.fleetgrad.benchmarks.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkedPartTest {

    private static final MarkedPart PART = new MarkedPart("<!-- begin -->", "<!-- end -->");

    @TempDir
    private Path folder;

    @Test
    void shouldLeaveTheProseAroundTheTableAsItIs() throws Exception {
        Path page = folder.resolve("page.md");
        Files.writeString(page, "# Modes\n\nProse.\n\n" + PART.begin() + "\nold\n" + PART.end() + "\n\nMore prose.\n");

        PART.replace(page, "new\n");
        PART.replace(page, "newer\n");

        assertThat(page)
                .hasContent(
                        "# Modes\n\nProse.\n\n" + PART.begin() + "\n\nnewer\n\n" + PART.end() + "\n\nMore prose.\n");
    }

    @Test
    void shouldMakeAPageThatIsNotThereAndRefuseOneWithoutMarkers() throws Exception {
        Path page = folder.resolve("new.md");
        PART.replace(page, "table\n");
        assertThat(page).content().contains(PART.begin(), "table", PART.end());

        Files.writeString(page, PART.end() + "\n" + PART.begin());
        assertThatThrownBy(() -> PART.replace(page, "table\n"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(page + " does not have the lines");
    }
}
