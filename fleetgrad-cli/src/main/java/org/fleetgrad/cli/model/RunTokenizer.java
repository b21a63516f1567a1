package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.text.HuggingFaceTokenizer;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;

/** The tokenizer that a run left in its folder: metadata only name one that is a file. */
final class RunTokenizer {

    private RunTokenizer() {}

    static Optional<Tokenizer> of(Optional<Path> run) throws IOException {
        Optional<Path> file =
                run.map(folder -> folder.resolve(HuggingFaceTokenizer.FILE)).filter(Files::isRegularFile);
        return file.isPresent() ? Optional.of(JsonTokenizer.read(file.get())) : Optional.empty();
    }
}
