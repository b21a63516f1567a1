package org.fleetgrad.libtorch;

/**
 * The last tokens of a text, which a network of a limited context sees. A text that becomes longer than the context is
 * cut to its last floor(context / 2) tokens, at least one; it grows from there until it is cut again. With the stride s
 * = context + 1 - max(1, floor(context / 2)), the window of T tokens begins at
 *
 * <pre>start(T) = max(0, s ceil((T - context) / s))</pre>
 *
 * <p>The window depends on the number of tokens alone, and not on how many of them were a prompt: a text continues the
 * same whoever wrote its beginning.
 *
 * @param context tokens that the network sees at most, 1 or more
 */
record SlidingWindow(int context) {

    /** Returns how many of {@code length} tokens come before the window. */
    int start(int length) {
        int stride = context + 1 - Math.max(1, context / 2);
        return length <= context ? 0 : (length - context + stride - 1) / stride * stride;
    }
}
