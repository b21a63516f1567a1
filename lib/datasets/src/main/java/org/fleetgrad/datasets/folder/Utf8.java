package org.fleetgrad.datasets.folder;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.fleetgrad.datasets.InvalidDatasetException;

/** Decodes files in UTF-8, and refuses what is not: a wrong encoding would otherwise be learnt. */
final class Utf8 {

    private Utf8() {}

    /**
     * Decodes a file.
     *
     * @param place what the message says of the first byte that begins no character, such as its line
     * @throws InvalidDatasetException if it is not UTF-8; the message has that byte and its place
     */
    static CharBuffer decode(Path file, byte[] contents, IntFunction<String> place) throws InvalidDatasetException {
        ByteBuffer bytes = ByteBuffer.wrap(contents);
        CharBuffer characters = CharBuffer.allocate(contents.length);
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(bytes, characters, true);
        if (result.isError()) {
            int at = bytes.position();
            throw new InvalidDatasetException("%s is not UTF-8: byte %d of %d, 0x%02x%s, begins no character"
                    .formatted(file, at, contents.length, contents[at], place.apply(at)));
        }
        return characters.flip();
    }
}
