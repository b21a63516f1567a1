package org.fleetgrad.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of {@code demo --text}: a network that learns to write words in a minute or two on two processors. They come before
 * those of the user, which therefore win.
 */
public final class TextDemo {

    private static final List<String> OPTIONS = List.of(
            "--network=gpt2?layers=4&heads=4&width=128&context=64&dropout=0",
            "--batch-size=12",
            "--max-steps=1600",
            // Ends at the steps, however short the text is.
            "--epochs=1000",
            "--optimizer=adamw:beta2=0.99",
            "--learning-rate=0.001",
            "--weight-decay=0.1",
            "--weight-decay-matrices-only",
            "--clip-norm=1");

    private TextDemo() {}

    /** Returns the options of a run on the user's text. */
    public static List<String> onOwnText(List<String> given) {
        List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(given);
        return all;
    }

    /** Returns the options of a run on this project's pages, which {@link ProjectPages} has written to a folder. */
    public static List<String> onPages(Path folder, List<String> given) {
        List<String> all = new ArrayList<>(
                List.of("--data=" + folder, "--dataset-name=project-pages", "--prompt=The parameter server "));
        all.addAll(onOwnText(given));
        return all;
    }
}
