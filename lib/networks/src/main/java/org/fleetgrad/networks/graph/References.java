package org.fleetgrad.networks.graph;

import java.util.List;
import org.fleetgrad.files.text.Printable;

/** How the nodes of a graph say which value and which tensor they read. */
interface References {

    /** Returns the index of a value that a node reads. */
    int value(int written, int node);

    /** Returns the name of a tensor. */
    String tensor(String written);

    /** As {@code network.json} has them: indices of values, and names of tensors. */
    static References plain() {
        return new References() {
            @Override
            public int value(int written, int node) {
                return written;
            }

            @Override
            public String tensor(String written) {
                return written;
            }
        };
    }

    /**
     * As a network's name has them, so that blocks that are alike are the same text: a value by how many nodes it is back, and a tensor by
     * how many new ones were read since it was, or 0 for the next new one.
     *
     * @param names of all tensors, in the order in which nodes read them first
     */
    static References relative(List<String> names) {
        return new References() {

            private int read;

            @Override
            public int value(int written, int node) {
                return node - written;
            }

            @Override
            public String tensor(String written) {
                int back = count(written);
                int index = read - back;
                if (index < 0 || index >= names.size()) {
                    throw new IllegalArgumentException("there is no tensor %s back from the %d that were read, of %d"
                            .formatted(Printable.text(written), read, names.size()));
                }
                if (back == 0) {
                    read++;
                }
                return names.get(index);
            }
        };
    }

    private static int count(String written) {
        if (!written.matches("0|[1-9]\\d{0,5}")) {
            throw new IllegalArgumentException(
                    "a tensor must be a number from 0 on; it is '%s'".formatted(Printable.text(written)));
        }
        return Integer.parseInt(written);
    }
}
