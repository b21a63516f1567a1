package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules of PyTorch's that take rows of a table, or series, are exported and trained; PyTorch then predicts with the run's file. */
@Tag("whole")
class ExportedRowsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    /** Makes the modules, the data, and the two exports. */
    private static final String EXPORT = """
            import os, subprocess, sys
            import numpy as np

            script, folder = sys.argv[1:]
            os.chdir(folder)
            open("mine.py", "w").write('''
            import torch
            from torch import nn

            def rows():
                return nn.Sequential(nn.Linear(2, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 1))

            def waves():
                return nn.Sequential(
                    nn.Conv1d(2, 16, 5), nn.BatchNorm1d(16), nn.SiLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(16, 3))
            ''')
            random = np.random.default_rng(1)
            x = random.uniform(-1, 1, (2000, 2))
            y = 7 + 3 * x[:, 0] * x[:, 1] + x[:, 0]
            np.savetxt("table.csv", np.c_[x, y], "%.5f", ",", header="a,b,y", comments="")
            kind = random.integers(0, 3, 1200)
            places = np.arange(24)[None] + random.uniform(0, 24, (1200, 1))
            first = np.sin(places * (kind[:, None] + 1) * np.pi / 12)
            np.savez("waves.npz", x=np.stack([first, random.normal(size=first.shape)], 1).astype("float32"), y=kind)
            for maker, shape in (("rows", "2"), ("waves", "2x24")):
                subprocess.run(
                    [sys.executable, script, "mine:" + maker, "--input", shape, "--out", maker + "-net"], check=True)
            """;

    /** R2 of the run's file on rows that nobody trained on. */
    private static final String IN_PYTORCH = """
            import json, os, sys, torch
            from safetensors import safe_open
            from safetensors.torch import load_file

            os.chdir(sys.argv[1])
            sys.path.insert(0, "")
            import mine

            module = mine.rows()
            module.load_state_dict(load_file("rows-run/model.safetensors"))
            with safe_open("rows-run/model.safetensors", "pt") as file:
                table = json.loads(file.metadata()["table"])
            x = torch.rand(500, 2) * 2 - 1
            y = 7 + 3 * x[:, 0] * x[:, 1] + x[:, 0]
            mean, std = (torch.tensor([column[key] for column in table["columns"]]) for key in ("mean", "std"))
            with torch.no_grad():
                predicted = table["target"]["mean"] + table["target"]["std"] * module.eval()((x - mean) / std)[:, 0]
            print(1 - ((predicted - y) ** 2).mean().item() / y.var().item())
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void export() {
        Python.run(
                EXPORT,
                RepositoryRoot.path().resolve("python/fleetgrad_export.py").toString(),
                folder.toString());
    }

    private FleetgradProcess train(String data, String network, String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("train", "--data", data, "--network", network, "--mode", "sync"));
        arguments.addAll(List.of("--optimizer", "adam", "--learning-rate", "0.01", "--batch-size", "32", "--json"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    @Test
    void shouldTrainExportedModulesOnATableAndOnArrays() throws Exception {
        try (FleetgradProcess train =
                train("table.csv", "rows-net/", "--target", "y", "--epochs", "15", "--out", "rows-run")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            double r2 = train.lastLineAsJson().path("r2").asDouble();
            assertThat(r2).isBetween(0.95, 1.0);
            double theirs =
                    Double.parseDouble(Python.run(IN_PYTORCH, folder.toString()).strip());
            assertThat(theirs).isCloseTo(r2, within(0.03));
        }
        try (FleetgradProcess train = train("waves.npz", "waves-net/", "--epochs", "15", "--out", "waves-run")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.lastLineAsJson().path("accuracy").asDouble()).isBetween(0.9, 1.0);
        }
        Files.writeString(folder.resolve("words.csv"), "a,b,y\n" + "1,2,no\n3,4,yes\n5,7,no\n2,2,yes\n".repeat(20));
        try (FleetgradProcess train = train("words.csv", "rows-net/", "--target", "y", "--out", "refused")) {
            assertThat(train.await(TIMEOUT)).isNotZero();
            assertThat(train.stderr())
                    .contains(
                            "the graph's output is [1], and that for 2 classes is [2]: export a module of that width");
        }
    }
}
