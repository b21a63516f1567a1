package org.fleetgrad.parquet;

import java.io.IOException;

/**
 * The values of a column in a group of rows, as the footer states them; none of it is checked.
 *
 * @param from        place of the first page in the file
 * @param bytes       of all pages
 * @param values      number of values, of missing ones, too
 * @param codec       number of the compression
 * @param isEncrypted whether the pages are encrypted
 * @param isElsewhere whether the pages are in another file
 */
record Chunk(long from, long bytes, long values, int codec, boolean isEncrypted, boolean isElsewhere) {

    static Chunk read(ThriftReader thrift, int type) throws IOException {
        Reading reading = new Reading(thrift);
        thrift.struct(type, reading);
        boolean hasDictionary = reading.dictionary > 0 && reading.dictionary < reading.data;
        return new Chunk(
                hasDictionary ? reading.dictionary : reading.data,
                reading.bytes,
                reading.values,
                reading.codec,
                reading.isEncrypted,
                reading.isElsewhere);
    }

    /** The fields while they are read. */
    private static final class Reading implements ThriftReader.Fields {

        private final ThriftReader thrift;
        private long data;
        private long dictionary;
        private long bytes;
        private long values;
        private int codec;
        private boolean isEncrypted;
        private boolean isElsewhere;

        Reading(ThriftReader thrift) {
            this.thrift = thrift;
        }

        @Override
        public void read(int id, int field) throws IOException {
            switch (id) {
                case 1 -> {
                    isElsewhere = true;
                    thrift.skip(field);
                }
                case 3 -> thrift.struct(field, this::readMetadata);
                case 8, 9 -> {
                    isEncrypted = true;
                    thrift.skip(field);
                }
                default -> thrift.skip(field);
            }
        }

        private void readMetadata(int id, int field) throws IOException {
            switch (id) {
                case 4 -> codec = thrift.int32(field);
                case 5 -> values = thrift.int64(field);
                case 7 -> bytes = thrift.int64(field);
                case 9 -> data = thrift.int64(field);
                case 11 -> dictionary = thrift.int64(field);
                default -> thrift.skip(field);
            }
        }
    }
}
