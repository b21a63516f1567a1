package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.datasets.text.ByteTokenizer;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.datasets.text.Gpt2Tokenizer;
import org.fleetgrad.datasets.text.JsonTokenizer;
import org.fleetgrad.datasets.text.Tokenizer;

/** The tokenizer that the user wants for texts. */
sealed interface WantedTokenizer {

    /** Returns the tokenizer of all texts of a dataset. */
    Tokenizer forText(Supplier<String> text);

    /**
     * Reads what the user says: {@code characters}, {@code bytes}, {@code gpt2}, or a {@code tokenizer.json} or its folder. Without a
     * word, the {@code tokenizer.json} in the folder of the texts is used, if there is one.
     *
     * @param wanted what the user says
     * @param source file or folder of the texts
     * @throws NoSuchFileException      if there is no such file
     * @throws IllegalArgumentException if it is none of these, or the file is no tokenizer
     */
    static WantedTokenizer of(Optional<String> wanted, Path source) throws IOException {
        if (wanted.isEmpty()) {
            Path beside = Files.isRegularFile(source)
                    ? source.resolveSibling(JsonTokenizer.FILE)
                    : source.resolve(JsonTokenizer.FILE);
            return Files.isRegularFile(beside) ? new Known(JsonTokenizer.read(beside)) : new Fitting();
        }
        String text = wanted.get();
        return switch (text) {
            case Characters.NAME -> new Characters();
            case ByteTokenizer.NAME -> new Known(new ByteTokenizer());
            case Gpt2Tokenizer.NAME -> new Known(new Gpt2Tokenizer());
            default -> {
                Path path = Path.of(text);
                if (!text.endsWith(".json") && !Files.exists(path)) {
                    throw new IllegalArgumentException(
                            "the tokenizer must be %s, %s, %s or a %s; it is '%s', which is no file"
                                    .formatted(
                                            Characters.NAME,
                                            ByteTokenizer.NAME,
                                            Gpt2Tokenizer.NAME,
                                            JsonTokenizer.FILE,
                                            text));
                }
                yield new Known(JsonTokenizer.read(path));
            }
        };
    }

    /** One that does not depend on the text. */
    record Known(Tokenizer tokenizer) implements WantedTokenizer {

        @Override
        public Tokenizer forText(Supplier<String> text) {
            return tokenizer;
        }
    }

    /** The characters that the text has. */
    record Characters() implements WantedTokenizer {

        static final String NAME = "characters";

        @Override
        public Tokenizer forText(Supplier<String> text) {
            return CharacterTokenizer.ofCharactersIn(text.get());
        }
    }

    /** Characters while they are few, else bytes. */
    record Fitting() implements WantedTokenizer {

        private static final int MOST_CHARACTERS = 256;

        @Override
        public Tokenizer forText(Supplier<String> text) {
            String whole = text.get();
            boolean areFew =
                    whole.codePoints().distinct().limit(MOST_CHARACTERS + 1).count() <= MOST_CHARACTERS;
            return areFew ? CharacterTokenizer.ofCharactersIn(whole) : new ByteTokenizer();
        }
    }
}
