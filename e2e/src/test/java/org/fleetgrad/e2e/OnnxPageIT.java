package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs docs/onnx.md: its Python and its commands, in their order, in one folder. */
@Order(14)
@Tag("whole")
class OnnxPageIT {

    /** The lines of each card that load the model are Python. */
    private static final String PARSE = """
            import re
            blocks = [re.findall(r"```python\\n(.*?)```", open(card).read(), re.S)[0] for card in ("digits.md", "flats.md")]
            for block in blocks:
                compile(block, "card", "exec")
            print("parsed", len(blocks))
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldWorkAsWritten() throws Exception {
        Python.requireOnnx();
        List<String> printed = new ArrayList<>();
        int commands = 0;
        for (DocumentedPage.Block block : DocumentedPage.blocks("docs/onnx.md")) {
            if (block.isPython()) {
                printed.add(Python.runWithOnnx(folder, block.text()));
            } else {
                for (String line : block.lines()) {
                    DocumentedPage.fleetgrad(folder, line);
                    commands++;
                }
            }
        }

        assertThat(commands).isEqualTo(4);
        assertThat(printed.get(0).strip()).matches("\\['[0-9]'(, '[0-9]'){4}]");
        // In the units of the rents, which are about 4,000.
        assertThat(printed.get(2).strip()).matches("\\[ *[0-9]{3,4}\\.[0-9]* +[0-9]{3,4}\\.[0-9]* *]");
        assertThat(Files.readString(folder.resolve("digits.md")))
                .contains("# digits.onnx", "held-out accuracy", "not stated: choose one", "generated-digits");
        assertThat(Python.runWithOnnx(folder, PARSE)).isEqualTo("parsed 2\n");
    }
}
