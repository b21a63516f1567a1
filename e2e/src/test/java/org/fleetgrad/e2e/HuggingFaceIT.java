package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run begins with a folder of transformers, and leaves a folder that transformers opens. */
@Order(14)
@Tag("whole")
class HuggingFaceIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final String TEXT = "how much wood would a woodchuck chuck? ";

    private static final String SAVE = """
            import sys
            config = transformers.GPT2Config(n_layer=1, n_head=2, n_embd=16, n_positions=16, vocab_size=20)
            transformers.GPT2LMHeadModel(config).save_pretrained(sys.argv[1])
            """;

    /** Characters are numbered in their order. */
    private static final String LOSSES = """
            import sys, torch
            text = sys.argv[1] * 3
            numbers = {character: i for i, character in enumerate(sorted(set(text)))}
            tokens = torch.tensor([[numbers[character] for character in text[i : i + 16]] for i in range(40)])
            for folder in sys.argv[2:]:
                network, info = transformers.AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
                print(sum(len(value) for value in info.values()), network.eval()(tokens, labels=tokens).loss.item())
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldTrainWhatTransformersSavedForTransformers() throws Exception {
        Path given = folder.resolve("gpt2");
        Python.runWithTransformers(SAVE, given.toString());
        Path text = Files.writeString(folder.resolve("wood.txt"), TEXT.repeat(200));

        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--from",
                given.toString(),
                "--data",
                text.toString(),
                "--workers",
                "1",
                "--batch-size",
                "8",
                "--epochs",
                "3",
                "--optimizer",
                "adamw",
                "--learning-rate",
                "0.01",
                "--out",
                "run")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
        }

        String[] lines = Python.runWithTransformers(
                        LOSSES, TEXT, given.toString(), folder.resolve("run").toString())
                .split("\\s+");
        // No missing, unexpected or mismatched key in either folder.
        assertThat(lines[0]).isEqualTo("0");
        assertThat(lines[2]).isEqualTo("0");
        assertThat(Double.parseDouble(lines[1])).isGreaterThan(2.5);
        assertThat(Double.parseDouble(lines[3])).isLessThan(1.5);
    }
}
