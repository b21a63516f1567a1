package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.openwhisk.Wire.Call;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;

/** Any bytes result in a record, or a message that is safe to show. */
class AnyAnswerPropertyTest {

    private static final String VALID = Records.of(
            "{\"result\":{\"a\":1},\"status\":\"success\",\"success\":true}", ",{\"key\":\"initTime\",\"value\":1}");

    private interface Read {
        Object from(WhiskResponse answer) throws OpenWhiskException;
    }

    private static void check(byte[] body) {
        WhiskResponse answer = new WhiskResponse(
                Call.get(URI.create("http://host/x")),
                WhiskAuth.parse("u:k-e-y"),
                200,
                HttpHeaders.of(Map.of(), (name, value) -> true),
                body);
        for (Read read : new Read[] {
            ActivationRecord::read,
            Action::read,
            NamespaceLimits::read,
            of -> Fields.of(of).texts("logs")
        }) {
            try {
                Object value = read.from(answer);
                if (value instanceof ActivationRecord record) {
                    assertThat(ActivationEnd.of(record)).isNotNull();
                }
            } catch (OpenWhiskException malformed) {
                assertThat(malformed)
                        .hasMessageMatching("GET http://host/x answered 200 with \\P{Cntrl}+")
                        .hasMessageNotContaining("k-e-y");
                assertThat(String.valueOf(malformed.getMessage())).hasSizeLessThan(400);
            }
        }
    }

    @Property(tries = 500)
    void shouldReadOrRefuseAnyBytes(@ForAll @Size(max = 200) byte[] body) {
        check(body);
    }

    @Property(tries = 500)
    void shouldReadOrRefuseARecordWithChangedBytes(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 5) int changes, @ForAll boolean isCut) {
        Random random = new Random(seed);
        byte[] body = VALID.getBytes(StandardCharsets.UTF_8);
        for (int n = 0; n < changes; n++) {
            body[random.nextInt(body.length)] = (byte) "{}[]\",:0-eE9tfn\\x".charAt(random.nextInt(17));
        }
        check(isCut ? Arrays.copyOf(body, random.nextInt(body.length)) : body);
    }

    @Property(tries = 300)
    void shouldReadOrRefuseARecordWithAChangedMember(
            @ForAll @IntRange(min = 0, max = 40) int place, @ForAll @IntRange(min = 0, max = 7) int kind) {
        String[] values = {
            "null", "true", "-1", "1e999", "9223372036854775808", "\"k-e-y\\u0000\"", "[[]]", "{\"a\":{}}"
        };
        int colon = -1;
        for (int n = 0; n <= place; n++) {
            int next = VALID.indexOf(':', colon + 1);
            colon = next < 0 ? colon : next;
        }
        int end = colon + 1;
        while (",}]".indexOf(VALID.charAt(end)) < 0) {
            end++;
        }
        check((VALID.substring(0, colon + 1) + values[kind] + VALID.substring(end)).getBytes(StandardCharsets.UTF_8));
    }

    @Example
    void shouldReadOrRefuseRecordsThatAreTooDeepOrTooLong() {
        check("[".repeat(1_000_000).getBytes(StandardCharsets.UTF_8));
        check("{\"start\":".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        check(("{\"start\":" + "9".repeat(100_000) + "}").getBytes(StandardCharsets.UTF_8));
        check("{\"response\":{},\"start\":1e1000000000}".getBytes(StandardCharsets.UTF_8));
    }
}
