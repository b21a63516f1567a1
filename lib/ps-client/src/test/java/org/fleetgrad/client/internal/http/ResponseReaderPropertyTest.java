package org.fleetgrad.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseReaderPropertyTest {

    @Property
    void shouldReadTheSameWhereverTheAnswerIsCut(
            @ForAll @Size(max = 300) byte[] body,
            @ForAll boolean isChunked,
            @ForAll @IntRange(min = 1, max = 40) int longestPiece,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        byte[] answer = isChunked ? chunked(body, random) : whole(body);

        ResponseReader reader = new ResponseReader(pieces(answer, longestPiece, random), 300);
        Transport.Response response = reader.read();

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.header("X-version")).contains("7");
        assertThat(response.body()).isEqualTo(ByteBuffer.wrap(body));
        assertThat(reader.isConnectionKept()).isTrue();
    }

    @Property
    void shouldTakeNoAnswerThatWasCutForAnAnswer(
            @ForAll @Size(min = 1, max = 100) byte[] body, @ForAll boolean isChunked, @ForAll long seed) {
        Random random = new Random(seed);
        byte[] answer = isChunked ? chunked(body, random) : whole(body);
        byte[] cut = Arrays.copyOf(answer, random.nextInt(answer.length));

        assertThatThrownBy(() -> new ResponseReader(pieces(cut, 50, random), 100).read())
                .isInstanceOf(EOFException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SSH-2.0-x~~                                                        | does not speak HTTP/1.1: it answered 'SSH-2.0-x'",
                "HTTP/2 200 OK~~                                                    | does not speak HTTP/1.1",
                "HTTP/1.1 2000 OK~~                                                 | does not speak HTTP/1.1",
                "HTTP/1.1 -20 OK~~                                                  | does not speak HTTP/1.1",
                "HTTP/1.1 200 OK~no header~~                                        | has the line 'no header', which is no header",
                "HTTP/1.1 200 OK~: x~~                                              | has the line ': x', which is no header",
                "HTTP/1.1 200 OK~~                                                  | states neither a body nor its length",
                "HTTP/1.1 200 OK~Content-Length: -1~~                               | states the length '-1'",
                "HTTP/1.1 200 OK~Content-Length: 9223372036854775808~~              | states the length '9223372036854775808'",
                "HTTP/1.1 200 OK~Content-Length: 999999999999999999~~               | the answer has 999999999999999999 bytes, accepted are 50",
                "HTTP/1.1 200 OK~Content-Length: 1~Content-Length: 2~~ab            | states two lengths: 1 and 2",
                "HTTP/1.1 200 OK~Transfer-Encoding: gzip~~                          | comes as 'gzip', which was not asked for",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~-5~hello~0~~           | states the length '-5'",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~7fffffffffffffff~      | states the length '7fffffffffffffff'",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~7ffffffffffffff~       | more than the 50 bytes that are accepted",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~33~                    | more than the 50 bytes that are accepted",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~hello~0~~            | a chunk of the answer is longer than it states",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~~                      | states the length ''"
            })
    void shouldRefuseWhatIsNoAnswer(String answer, String message) {
        assertThatThrownBy(() -> read(answer)).isInstanceOf(IOException.class).hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAHeadWithoutEnd() {
        ResponseReader.Input endless =
                () -> ByteBuffer.wrap("X: y\r\n".repeat(100).getBytes(StandardCharsets.US_ASCII));
        byte[] status = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);
        List<ByteBuffer> first = new ArrayList<>(List.of(ByteBuffer.wrap(status)));
        ResponseReader reader = new ResponseReader(() -> first.isEmpty() ? endless.some() : first.remove(0), 50);

        assertThatThrownBy(reader::read).hasMessage("the answer's head has more than 65536 bytes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 204 No Content~~                                          | 204 | ''    | true",
                "HTTP/1.1 304 Not Modified~Content-Length: 5000~~                   | 304 | ''    | true",
                "HTTP/1.1 200~content-length:5~connection: Close~~hello             | 200 | hello | false",
                "HTTP/1.0 200 OK~Content-Length: 5~~hello                           | 200 | hello | false",
                "HTTP/1.1 100 Continue~~HTTP/1.1 200 OK~Content-Length: 5~~hello    | 200 | hello | true",
                "HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5;a=b~hello~0~X: y~~   | 200 | hello | true"
            })
    void shouldReadWhatServersAnswer(String answer, int status, String body, boolean isKept) throws IOException {
        ResponseReader reader = reader(answer);
        Transport.Response response = reader.read();

        assertThat(response.status()).isEqualTo(status);
        assertThat(StandardCharsets.US_ASCII.decode(response.body()).toString()).isEqualTo(body);
        assertThat(reader.isConnectionKept()).isEqualTo(isKept);
    }

    private static Transport.Response read(String answer) throws IOException {
        return reader(answer).read();
    }

    private static ResponseReader reader(String answer) {
        byte[] bytes = answer.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
        return new ResponseReader(pieces(bytes, 1000, new Random(1)), 50);
    }

    private static byte[] whole(byte[] body) {
        return joined("HTTP/1.1 200 OK\r\nX-Version: 7\r\nContent-Length: %d\r\n\r\n".formatted(body.length), body, "");
    }

    private static byte[] chunked(byte[] body, Random random) {
        byte[] answer = "HTTP/1.1 200 OK\r\nX-Version: 7\r\nTransfer-Encoding: chunked\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < body.length; ) {
            int size = 1 + random.nextInt(body.length - at);
            byte[] chunk = Arrays.copyOfRange(body, at, at + size);
            answer = concat(answer, joined("%x\r\n".formatted(size), chunk, "\r\n"));
            at += size;
        }
        return concat(answer, "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] joined(String before, byte[] body, String after) {
        return concat(
                concat(before.getBytes(StandardCharsets.US_ASCII), body), after.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] concat(byte[] a, byte[] b) {
        return ByteBuffer.allocate(a.length + b.length).put(a).put(b).array();
    }

    /** Delivers a response piece by piece, and then its end. */
    private static ResponseReader.Input pieces(byte[] answer, int longest, Random random) {
        ByteBuffer left = ByteBuffer.wrap(answer).limit(0);
        return () -> {
            if (!left.hasRemaining()) {
                if (left.limit() == answer.length) {
                    throw new EOFException("closed");
                }
                left.limit(Math.min(answer.length, left.limit() + 1 + random.nextInt(longest)));
            }
            return left;
        };
    }
}
