package org.fleetgrad.tokenizers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tokenizers that Hugging Face's own library trained, checked in: small ones of a few lines. */
final class TrainedTokenizers {

    private TrainedTokenizers() {}

    /** Trains tokenizers of a text: {@code bpe.json} and {@code wordpiece.json} in a folder, with the arguments text and folder. */
    static final String TRAIN = """
            import sys
            from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
            lines = open(sys.argv[1], encoding="utf-8").read().splitlines(keepends=True)
            bpe = Tokenizer(models.BPE())
            bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            bpe.decoder = decoders.ByteLevel()
            bpe.train_from_iterator(lines, trainers.BpeTrainer(
                vocab_size=int(sys.argv[3]), show_progress=False, special_tokens=["<|endoftext|>"],
                initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
            bpe.save(sys.argv[2] + "/bpe.json")
            wordpiece = Tokenizer(models.WordPiece(unk_token="[UNK]"))
            wordpiece.normalizer = normalizers.BertNormalizer(lowercase=True)
            wordpiece.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
            wordpiece.decoder = decoders.WordPiece()
            special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
            wordpiece.train_from_iterator(lines, trainers.WordPieceTrainer(
                vocab_size=int(sys.argv[3]), show_progress=False, special_tokens=special))
            wordpiece.post_processor = processors.TemplateProcessing(
                single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
            wordpiece.save(sys.argv[2] + "/wordpiece.json")
            """;

    /** Reads a tokenizer that lies beside this class. */
    static byte[] stored(String name) throws IOException {
        Path file = Path.of("src/test/resources/org/fleetgrad/tokenizers", name);
        return Files.readAllBytes(file);
    }
}
