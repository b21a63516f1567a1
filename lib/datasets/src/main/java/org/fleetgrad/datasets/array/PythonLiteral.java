package org.fleetgrad.datasets.array;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dictionary of an array's header, such as <code>{'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), }</code>: these
 * three keys, each once, in any order, with values of their kinds. It is text; nothing is evaluated. Confined to one thread.
 */
final class PythonLiteral {

    private static final int MOST_SHOWN = 80;

    /** Most digits of a side: NumPy's have 63 bits. */
    private static final int MOST_DIGITS = 18;

    private final String text;
    private int at;

    PythonLiteral(String text) {
        this.text = text;
    }

    /**
     * The values.
     *
     * @param type      as the file has it; of elements with fields, the text of the list from its bracket on
     * @param isFortran whether the first index is the fastest
     * @param shape     sides, none below 0
     */
    record Header(String type, boolean isFortran, List<Long> shape) {}

    /**
     * Reads the dictionary.
     *
     * @throws IllegalArgumentException if it is something else; the message has the place
     */
    Header header() {
        @Nullable String type = null;
        @Nullable Boolean isFortran = null;
        @Nullable List<Long> shape = null;
        require('{');
        while (!takes('}')) {
            String key = string();
            require(':');
            if (key.equals("descr") && type == null) {
                type = type();
                if (type.startsWith("[")) {
                    return new Header(type, false, List.of());
                }
            } else if (key.equals("fortran_order") && isFortran == null) {
                isFortran = flag();
            } else if (key.equals("shape") && shape == null) {
                shape = sides();
            } else {
                throw wrong("the keys 'descr', 'fortran_order' and 'shape', each once; there is '%s'"
                        .formatted(Printable.text(key)));
            }
            if (!takes(',')) {
                require('}');
                break;
            }
        }
        if (type == null || isFortran == null || shape == null) {
            throw wrong("the keys 'descr', 'fortran_order' and 'shape'");
        }
        if (peek() != 0) {
            throw wrong("nothing behind the dictionary");
        }
        return new Header(type, isFortran, shape);
    }

    private String type() {
        return peek() == '[' ? text.substring(at) : string();
    }

    private boolean flag() {
        for (String word : List.of("True", "False")) {
            peek();
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("True");
            }
        }
        throw wrong("True or False");
    }

    private List<Long> sides() {
        require('(');
        List<Long> sides = new ArrayList<>();
        while (!takes(')')) {
            sides.add(side());
            if (!takes(',')) {
                require(')');
                break;
            }
        }
        return sides;
    }

    private long side() {
        peek();
        int from = at;
        while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0) {
            at++;
        }
        if (at == from || at - from > MOST_DIGITS) {
            at = from;
            throw wrong("a whole number of 1 to %d digits".formatted(MOST_DIGITS));
        }
        return Long.parseLong(text.substring(from, at));
    }

    private String string() {
        char quote = peek();
        if (quote != '\'' && quote != '"') {
            throw wrong("a text in quotes");
        }
        int end = text.indexOf(quote, at + 1);
        if (end < 0 || text.substring(at, end).indexOf('\\') >= 0) {
            throw wrong("a text in quotes without backslashes");
        }
        String value = text.substring(at + 1, end);
        at = end + 1;
        return value;
    }

    private boolean takes(char wanted) {
        if (peek() == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void require(char wanted) {
        if (!takes(wanted)) {
            throw wrong("'%s'".formatted(wanted));
        }
    }

    /** Returns the next character that is no space; 0 at the end. */
    private char peek() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong(String expected) {
        String rest = text.substring(Math.min(at, text.length()));
        return new IllegalArgumentException("its header must have %s at character %d; it has '%s'"
                .formatted(
                        expected,
                        at,
                        Printable.text(rest.length() > MOST_SHOWN ? rest.substring(0, MOST_SHOWN) + "…" : rest)));
    }
}
