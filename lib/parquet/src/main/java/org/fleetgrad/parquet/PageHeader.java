package org.fleetgrad.parquet;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a page states of itself; none of it is checked.
 *
 * @param kind       data, a dictionary, or another
 * @param packed     its bytes in the file
 * @param unpacked   its bytes when they are unpacked
 * @param checksum   of the bytes in the file, if there is one
 * @param values     number of values, of missing ones, too
 * @param encoding   number of the encoding of the values
 * @param levels     number of the encoding that says which values are missing
 * @param levelBytes bytes that say which values are missing, in a page of version 2
 * @param otherLevelBytes bytes before these that mean nothing in a table
 * @param isPacked   whether a page of version 2 is packed
 */
record PageHeader(
        Kind kind,
        int packed,
        int unpacked,
        OptionalInt checksum,
        int values,
        int encoding,
        int levels,
        int levelBytes,
        int otherLevelBytes,
        boolean isPacked) {

    /** What a page has. */
    enum Kind {
        DATA,
        OTHER,
        DICTIONARY,
        DATA_OF_VERSION_2
    }

    static PageHeader read(FileInput in) throws IOException {
        Reading reading = new Reading(new ThriftReader(in));
        reading.thrift.struct(reading);
        return reading.header();
    }

    /** The fields while they are read. */
    private static final class Reading implements ThriftReader.Fields {

        private static final List<Kind> KINDS = List.of(Kind.values());

        private final ThriftReader thrift;
        private Kind kind = Kind.OTHER;
        private int packed;
        private int unpacked;
        private OptionalInt checksum = OptionalInt.empty();
        private int values;
        private int encoding;
        private int levels;
        private int levelBytes;
        private int otherLevelBytes;
        private boolean isPacked = true;

        Reading(ThriftReader thrift) {
            this.thrift = thrift;
        }

        @Override
        public void read(int id, int field) throws IOException {
            switch (id) {
                case 1 -> kind = kind(thrift.int32(field));
                case 2 -> unpacked = thrift.int32(field);
                case 3 -> packed = thrift.int32(field);
                case 4 -> checksum = OptionalInt.of(thrift.int32(field));
                case 5 -> thrift.struct(field, this::readData);
                case 7 -> thrift.struct(field, this::readDictionary);
                case 8 -> thrift.struct(field, this::readDataOfVersion2);
                default -> thrift.skip(field);
            }
        }

        private static Kind kind(int number) {
            return number < 0 || number >= KINDS.size() ? Kind.OTHER : KINDS.get(number);
        }

        private void readData(int id, int field) throws IOException {
            switch (id) {
                case 1 -> values = thrift.int32(field);
                case 2 -> encoding = thrift.int32(field);
                case 3 -> levels = thrift.int32(field);
                default -> thrift.skip(field);
            }
        }

        private void readDictionary(int id, int field) throws IOException {
            switch (id) {
                case 1 -> values = thrift.int32(field);
                case 2 -> encoding = thrift.int32(field);
                default -> thrift.skip(field);
            }
        }

        private void readDataOfVersion2(int id, int field) throws IOException {
            switch (id) {
                case 1 -> values = thrift.int32(field);
                case 4 -> encoding = thrift.int32(field);
                case 5 -> levelBytes = thrift.int32(field);
                case 6 -> otherLevelBytes = thrift.int32(field);
                case 7 -> isPacked = thrift.flag(field);
                default -> thrift.skip(field);
            }
        }

        PageHeader header() {
            return new PageHeader(
                    kind, packed, unpacked, checksum, values, encoding, levels, levelBytes, otherLevelBytes, isPacked);
        }
    }
}
