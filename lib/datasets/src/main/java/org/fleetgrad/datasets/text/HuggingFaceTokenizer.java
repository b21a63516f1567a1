package org.fleetgrad.datasets.text;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * A tokenizer as Hugging Face's {@code AutoTokenizer.from_pretrained} opens it: {@code tokenizer.json} and {@code
 * tokenizer_config.json}. Characters are a model of words, split after each; bytes are a byte pair encoding without merges.
 * A {@code tokenizer.json} of the
 * user's is written as it is. GPT-2's own has 50,000 merges, which are not written: {@code AutoTokenizer.from_pretrained("gpt2")} has them.
 */
public final class HuggingFaceTokenizer {

    /** The name of the tokenizer's file. */
    public static final String FILE = JsonTokenizer.FILE;

    /** The name of the file that names its class. */
    public static final String CONFIG_FILE = "tokenizer_config.json";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int BYTES = 256;
    private static final String PADDING = "[PAD]";

    private HuggingFaceTokenizer() {}

    /**
     * Returns the files by their names, each as JSON in UTF-8; none for GPT-2's tokenizer, and for a {@code tokenizer.json} of which
     * only the digest is known.
     */
    public static Map<String, byte[]> files(Tokenizer tokenizer) {
        return files(tokenizer, false);
    }

    /**
     * Returns the files as {@link #files(Tokenizer)} does. If samples are filled up, characters and bytes get a token for that behind
     * the others, as {@link SampleEncoding#paddingOf} has it.
     */
    public static Map<String, byte[]> files(Tokenizer tokenizer, boolean isFilledUp) {
        Optional<Integer> padding = isFilledUp ? Optional.of(tokenizer.vocabulary()) : Optional.empty();
        Optional<byte[]> file;
        if (tokenizer instanceof JsonTokenizer json) {
            file = json.file();
        } else if (tokenizer instanceof CharacterTokenizer characters) {
            file = Optional.of(encoded(characters(characters, padding)));
        } else {
            file = tokenizer instanceof ByteTokenizer ? Optional.of(encoded(bytes(padding))) : Optional.empty();
        }
        return file.map(json -> Map.of(FILE, json, CONFIG_FILE, encoded(config(tokenizer, isFilledUp))))
                .orElse(Map.of());
    }

    private static Map<String, Object> config(Tokenizer tokenizer, boolean isFilledUp) {
        Map<String, Object> config = new TreeMap<>(
                Map.of("tokenizer_class", "PreTrainedTokenizerFast", "clean_up_tokenization_spaces", false));
        if (tokenizer instanceof JsonTokenizer json) {
            for (SpecialToken token : SpecialToken.values()) {
                json.form(token).ifPresent(form -> config.put(token.key(), form));
            }
        } else if (isFilledUp) {
            config.put(SpecialToken.PADDING.key(), PADDING);
        }
        return config;
    }

    private static Map<String, Object> characters(CharacterTokenizer tokenizer, Optional<Integer> padding) {
        Map<String, Integer> vocabulary = new LinkedHashMap<>();
        for (int token = 0; token < tokenizer.vocabulary(); token++) {
            vocabulary.put(new String(tokenizer.bytesOf(token), StandardCharsets.UTF_8), token);
        }
        return Map.of(
                "version",
                "1.0",
                "added_tokens",
                added(padding),
                "pre_tokenizer",
                Map.of(
                        "type",
                        "Split",
                        "pattern",
                        Map.of("Regex", "[\\s\\S]"),
                        "behavior",
                        "Isolated",
                        "invert",
                        false),
                "decoder",
                Map.of("type", "Fuse"),
                "model",
                Map.of("type", "WordLevel", "vocab", vocabulary, "unk_token", "<unk>"));
    }

    private static Map<String, Object> bytes(Optional<Integer> padding) {
        Map<String, Integer> vocabulary = new LinkedHashMap<>();
        int next = BYTES;
        for (int value = 0; value < BYTES; value++) {
            // GPT-2 writes a byte as the printable character of its number, or else as one of those from 256 on.
            boolean isPrintable = (value >= '!' && value <= '~')
                    || (value >= 0xA1 && value <= 0xAC)
                    || (value >= 0xAE && value <= 0xFF);
            vocabulary.put(Character.toString(isPrintable ? value : next++), value);
        }
        Map<String, Object> byteLevel =
                Map.of("type", "ByteLevel", "add_prefix_space", false, "trim_offsets", false, "use_regex", false);
        return Map.of(
                "version",
                "1.0",
                "added_tokens",
                added(padding),
                "pre_tokenizer",
                byteLevel,
                "decoder",
                byteLevel,
                "model",
                Map.of("type", "BPE", "vocab", vocabulary, "merges", List.of()));
    }

    private static List<Map<String, Object>> added(Optional<Integer> padding) {
        return padding
                .map(id -> Map.<String, Object>of(
                        "id",
                        id,
                        "content",
                        PADDING,
                        "single_word",
                        false,
                        "lstrip",
                        false,
                        "rstrip",
                        false,
                        "normalized",
                        false,
                        "special",
                        true))
                .stream()
                .toList();
    }

    private static byte[] encoded(Map<String, Object> json) {
        return JSON.writeValueAsBytes(json);
    }
}
