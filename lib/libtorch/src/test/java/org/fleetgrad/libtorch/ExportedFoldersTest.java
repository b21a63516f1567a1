package org.fleetgrad.libtorch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The second command of torchvision_table.py, which says how to run it: compares all networks of a folder with PyTorch. */
@Tag("whole")
class ExportedFoldersTest {

    private static final String FOLDER = "FLEETGRAD_EXPORTED";

    @Test
    void shouldSayOfEachNetworkWhetherItComputesWhatPyTorchDoes() throws Exception {
        String all = System.getenv().getOrDefault(FOLDER, "");
        Assumptions.assumeFalse(all.isEmpty(), FOLDER + " names no folder of torchvision_table.py");
        for (Path folder : folders(Path.of(all))) {
            String said;
            try {
                said = said(folder);
            } catch (IllegalArgumentException refused) {
                said = "refused: " + String.valueOf(refused.getMessage()).replaceFirst("graph\\?\\S+", "it");
            } catch (AssertionError different) {
                said = "differs: "
                        + String.valueOf(different.getMessage())
                                .lines()
                                .findFirst()
                                .orElse("");
            }
            Files.writeString(folder.resolve("java.txt"), said);
        }
    }

    private static List<Path> folders(Path all) throws IOException {
        try (Stream<Path> list = Files.list(all)) {
            return list.filter(folder ->
                            Files.exists(folder.resolve("name.txt")) && !Files.exists(folder.resolve("java.txt")))
                    .sorted()
                    .toList();
        }
    }

    private static String said(Path folder) throws Exception {
        Object unused = Networks.named(Files.readString(folder.resolve("name.txt")));
        if (!Files.exists(folder.resolve("oracle.safetensors"))) {
            return "shapes";
        }
        ExportedModule.open(folder).requireSame();
        return "same";
    }
}
