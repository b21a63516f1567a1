package org.fleetgrad.datasets.text;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a token may mark, with the ways in which published tokenizers write it. */
enum SpecialToken {
    /** Fills a sample up. */
    PADDING("pad_token", "[PAD] <pad> <|padding|>"),
    /** Stands for what the vocabulary does not have. */
    UNKNOWN("unk_token", "[UNK] <unk>"),
    /** Begins a text. */
    BEGIN("cls_token", "[CLS]"),
    /** Ends a text. */
    SEPARATOR("sep_token", "[SEP]"),
    /** Stands for a token that is to be predicted. */
    MASK("mask_token", "[MASK] <mask>"),
    /** Ends a text of a language model. */
    END("eos_token", "<|endoftext|> </s> <|end_of_text|> <eos>");

    private final String key;
    private final String forms;

    SpecialToken(String key, String forms) {
        this.key = key;
        this.forms = forms;
    }

    /** Returns its key in {@code tokenizer_config.json}. */
    String key() {
        return key;
    }

    /** Returns how a tokenizer writes it, if it has it. */
    Optional<String> in(Map<String, Integer> special) {
        return Stream.of(forms.split(" ", -1)).filter(special::containsKey).findFirst();
    }
}
