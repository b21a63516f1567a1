package org.fleetgrad.datasets.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.text.TokenizerLibrary.TokenCodec;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.Task;
import org.jspecify.annotations.Nullable;

/**
 * A tokenizer as Hugging Face's library {@code tokenizers} writes it: {@code tokenizer.json}. Parameter sets and shards name it by
 * its vocabulary and its digest, because it has up to megabytes; the file itself lies in the shard of the held-out samples.
 */
public final class JsonTokenizer implements Tokenizer {

    /** The file's usual name. */
    public static final String FILE = "tokenizer.json";

    /** Length of the longest file that is read; the largest published ones have about 33,000,000 bytes. */
    public static final int MOST_BYTES = 48 << 20;

    /** Begins its text; vocabulary and digest follow. */
    static final String PREFIX = FILE + ":";

    private static final Pattern TEXT = Pattern.compile(Pattern.quote(PREFIX) + "([1-9]\\d{0,6}):([0-9a-f]{64})");

    private final int vocabulary;
    private final String sha256;
    private final @Nullable Contents contents;

    private JsonTokenizer(int vocabulary, String sha256, @Nullable Contents contents) {
        if (vocabulary < 1 || vocabulary > Task.MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "a vocabulary has 1 to %d tokens; it has %d".formatted(Task.MOST_TOKENS, vocabulary));
        }
        this.vocabulary = vocabulary;
        this.sha256 = sha256;
        this.contents = contents;
    }

    /** Looked for at first use. */
    private static final class Library {

        static final Optional<TokenizerLibrary> FOUND = ServiceLoader.load(
                        TokenizerLibrary.class, TokenizerLibrary.class.getClassLoader())
                .findFirst();
    }

    /** The file, and what is read of it at first use. */
    private static final class Contents {

        private final byte[] file;
        private @Nullable TokenizerJson json;
        private @Nullable TokenCodec codec;

        Contents(byte[] file) {
            this.file = file;
        }

        synchronized TokenizerJson json() {
            if (json == null) {
                json = TokenizerJson.read(file);
            }
            return json;
        }

        synchronized TokenCodec codec() {
            if (codec == null) {
                TokenizerLibrary library = Library.FOUND.orElseThrow(
                        () -> new IllegalArgumentException(
                                "cannot be read by this program, which has no library for it: give it shards, which have tokens"));
                codec = library.open(new String(file, StandardCharsets.UTF_8));
            }
            return codec;
        }
    }

    /**
     * Reads a file, or the {@value #FILE} of a folder.
     *
     * @throws NoSuchFileException      if there is no such file
     * @throws IllegalArgumentException if it is too long, or not a tokenizer; the message names the file
     */
    public static JsonTokenizer read(Path path) throws IOException {
        Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no such tokenizer");
        }
        long bytes = Files.size(file);
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "the tokenizer %s has %d bytes; the most is %d".formatted(file, bytes, MOST_BYTES));
        }
        byte[] contents;
        try (InputStream in = Files.newInputStream(file)) {
            contents = in.readNBytes(MOST_BYTES);
        }
        try {
            return of(contents);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException("the tokenizer %s %s".formatted(file, unfit.getMessage()), unfit);
        }
    }

    /**
     * Takes the contents of a file, and opens it.
     *
     * @throws IllegalArgumentException if it is not a tokenizer; the message completes a sentence whose subject is the file
     */
    public static JsonTokenizer of(byte[] file) {
        Contents contents = new Contents(file.clone());
        int vocabulary = contents.json().vocabulary();
        TokenCodec unused = contents.codec();
        return new JsonTokenizer(vocabulary, Sha256.of(ByteBuffer.wrap(file)), contents);
    }

    /** Makes the tokenizer of a text, without its file. */
    static JsonTokenizer named(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a tokenizer that is a file is %sVOCABULARY:SHA-256; it is '%s'"
                    .formatted(PREFIX, text.substring(0, Math.min(text.length(), 100))));
        }
        return new JsonTokenizer(Integer.parseInt(matcher.group(1)), matcher.group(2), null);
    }

    /**
     * Returns the same tokenizer with its file. A program without a library for it reads how many tokens it has, and no more.
     *
     * @throws IllegalArgumentException if the file has another digest or another number of tokens, or is not a tokenizer
     */
    public JsonTokenizer with(byte[] file) {
        String found = Sha256.of(ByteBuffer.wrap(file));
        if (!found.equals(sha256)) {
            throw new IllegalArgumentException("the %d bytes of %s have the SHA-256 %s, the dataset states %s"
                    .formatted(file.length, FILE, found, sha256));
        }
        Contents contents = new Contents(file.clone());
        try {
            int tokens = contents.json().vocabulary();
            if (tokens != vocabulary) {
                throw new IllegalArgumentException(
                        "has %d tokens, the dataset states %d".formatted(tokens, vocabulary));
            }
            if (Library.FOUND.isPresent()) {
                TokenCodec unused = contents.codec();
            }
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException("%s %s".formatted(FILE, unfit.getMessage()), unfit);
        }
        return new JsonTokenizer(vocabulary, sha256, contents);
    }

    /** Returns the contents of the file, unless only its digest is known. */
    public Optional<byte[]> file() {
        return Optional.ofNullable(contents).map(known -> known.file.clone());
    }

    /** Returns the token that fills samples up, if it has one and its file is here. */
    public OptionalInt padding() {
        return contents == null ? OptionalInt.empty() : number(SpecialToken.PADDING, contents);
    }

    private static OptionalInt number(SpecialToken token, Contents contents) {
        Map<String, Integer> special = contents.json().special();
        Integer number = token.in(special).map(special::get).orElse(null);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** Returns how it writes a special token, if it has it and its file is here. */
    Optional<String> form(SpecialToken token) {
        return contents == null ? Optional.empty() : token.in(contents.json().special());
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    /** {@inheritDoc} Neither can it without a library that reads the file. */
    @Override
    public boolean isComplete() {
        return contents != null && Library.FOUND.isPresent();
    }

    @Override
    public OptionalLong characters(Tokens tokens) {
        if (!isComplete()) {
            return OptionalLong.empty();
        }
        String text = decode(IntStream.range(0, tokens.count()).map(tokens::get).toArray());
        return OptionalLong.of(text.codePointCount(0, text.length()));
    }

    private Contents contents() {
        if (contents == null) {
            throw new IllegalArgumentException("the tokenizer is a %s with the SHA-256 %s, which is not here: only %s"
                    .formatted(FILE, sha256, "its digest is known"));
        }
        return contents;
    }

    @Override
    public int[] encode(String text) {
        return contents().codec().encode(text, false);
    }

    @Override
    public int[] encodeWhole(String text) {
        return contents().codec().encode(text, true);
    }

    @Override
    public String decode(int... tokens) {
        for (int token : tokens) {
            Tokenizer.require(token, vocabulary);
        }
        return contents().codec().decode(tokens);
    }

    @Override
    public IncrementalDecoder decoder(int... before) {
        return new DecodedDifference(this, before);
    }

    @Override
    public boolean isEnd(int token) {
        return contents != null && number(SpecialToken.END, contents).stream().anyMatch(end -> end == token);
    }

    @Override
    public String text() {
        return PREFIX + vocabulary + ":" + sha256;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonTokenizer that && vocabulary == that.vocabulary && sha256.equals(that.sha256);
    }

    @Override
    public int hashCode() {
        return sha256.hashCode();
    }

    @Override
    public String toString() {
        return "%s with %d tokens, SHA-256 %s".formatted(FILE, vocabulary, sha256);
    }
}
