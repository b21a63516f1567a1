package org.fleetgrad.protocol.safetensors;

import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_NOT_JSON;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.SIZE_OVERFLOW;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the tokens of a header: the part of RFC 8259's JSON that a safetensors header may use. */
final class HeaderScanner {

    private final String text;
    private int at;

    HeaderScanner(String text) {
        this.text = text;
    }

    /** Returns how many characters have been consumed. */
    int at() {
        return at;
    }

    /** Skips white space, then consumes {@code expected} or fails. */
    void take(char expected) throws SafetensorsException {
        if (!tryTake(expected)) {
            throw notJson("'" + expected + "'");
        }
    }

    /** Skips white space, then consumes {@code expected} if it is next. */
    boolean tryTake(char expected) {
        skipWhitespace();
        if (at < text.length() && text.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    /** Skips white space, and returns the next character without consuming it; 0 at the end. */
    char peek() {
        skipWhitespace();
        return at < text.length() ? text.charAt(at) : 0;
    }

    void takeEnd() throws SafetensorsException {
        skipWhitespace();
        if (at != text.length()) {
            throw notJson("the end of the header");
        }
    }

    String takeString() throws SafetensorsException {
        take('"');
        int start = at;
        // Names rarely hold an escape: the common case is a substring.
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '"') {
            return text.substring(start, at++);
        }
        StringBuilder value = new StringBuilder(text.substring(start, at));
        while (true) {
            char c = takeChar("the end of a string");
            if (c == '"') {
                return paired(value.toString());
            }
            if (c < ' ') {
                at--;
                throw notJson("no control character inside a string");
            }
            value.append(c == '\\' ? takeEscaped() : c);
        }
    }

    /** Refuses unpaired surrogates, which escapes can smuggle past UTF-8: other languages cannot hold them. */
    private String paired(String value) throws SafetensorsException {
        if (StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            return value;
        }
        throw notJson("no unpaired surrogate in the string before");
    }

    private char takeEscaped() throws SafetensorsException {
        char c = takeChar("an escaped character");
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> takeHex4();
            default -> {
                at--;
                throw notJson("a known escape");
            }
        };
    }

    private char takeHex4() throws SafetensorsException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = takeChar("four hexadecimal digits");
            // Character.digit alone would accept the digits of every script.
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                at--;
                throw notJson("four hexadecimal digits");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    /** Reads an array of integers that are not negative. */
    List<Long> takeSizes() throws SafetensorsException {
        List<Long> sizes = new ArrayList<>(4);
        take('[');
        if (tryTake(']')) {
            return sizes;
        }
        do {
            sizes.add(takeSize());
        } while (tryTake(','));
        take(']');
        return sizes;
    }

    private long takeSize() throws SafetensorsException {
        skipWhitespace();
        int start = at;
        long value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            int digit = text.charAt(at++) - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                throw new SafetensorsException(
                        SIZE_OVERFLOW, "the number at character %d of the header exceeds 2^63-1".formatted(start));
            }
            value = value * 10 + digit;
        }
        if (at == start || (text.charAt(start) == '0' && at > start + 1)) {
            at = start;
            throw notJson("a whole number that is not negative");
        }
        return value;
    }

    private char takeChar(String expected) throws SafetensorsException {
        if (at >= text.length()) {
            throw notJson(expected);
        }
        return text.charAt(at++);
    }

    private void skipWhitespace() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
                return;
            }
            at++;
        }
    }

    private SafetensorsException notJson(String expected) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new SafetensorsException(
                HEADER_NOT_JSON,
                "the header has %s at character %d where %s was expected".formatted(found, at, expected));
    }
}
