package org.fleetgrad.parquet;

import java.nio.ByteBuffer;

/** Values that are numbers of a dictionary's. */
final class DictionaryValues implements PageValues {

    private final Dictionary dictionary;
    private final Runs numbers;

    DictionaryValues(Dictionary dictionary, ByteBuffer in) {
        this.dictionary = dictionary;
        // A page in which all values are missing may have nothing.
        this.numbers = new Runs(in, in.hasRemaining() ? in.get() & 0xff : 0);
    }

    @Override
    public void next(Cell cell) {
        dictionary.read(numbers.next(), cell);
    }
}
