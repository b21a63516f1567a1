package org.fleetgrad.networks.graph;

import java.util.Arrays;

/** Numbers that are always the same; several nodes may read one table. Immutable. */
public final class Table {

    /** Most numbers of a table: the mask of a window attention over 64 windows of 64 places has so many. */
    static final int MOST_NUMBERS = 1 << 18;

    private final float[] numbers;
    private final boolean hasPlaces;
    private final float greatest;

    /** Makes a table; nobody may change the numbers afterwards. */
    public Table(float... numbers) {
        this.numbers = numbers;
        boolean isWhole = numbers.length > 0;
        float largest = 0;
        for (float number : numbers) {
            isWhole &= number >= 0 && number == Math.rint(number);
            largest = Math.max(largest, number);
        }
        this.hasPlaces = isWhole;
        this.greatest = largest;
    }

    /** Returns the numbers; nobody may change them. */
    public float[] numbers() {
        return numbers;
    }

    /** Returns the numbers as places of rows, anew. */
    public long[] places() {
        long[] places = new long[numbers.length];
        for (int i = 0; i < places.length; i++) {
            places[i] = (long) numbers[i];
        }
        return places;
    }

    /** Returns how many there are. */
    int size() {
        return numbers.length;
    }

    /** Returns whether each is the place of one of so many rows. */
    boolean isPlacesOf(long rows) {
        return hasPlaces && greatest < rows;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Table table && Arrays.equals(numbers, table.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }
}
