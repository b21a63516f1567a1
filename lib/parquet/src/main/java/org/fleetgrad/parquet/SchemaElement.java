package org.fleetgrad.parquet;

import java.io.IOException;
import java.util.List;

/**
 * A node of a schema.
 *
 * @param name       of the column, or of a part of it
 * @param type       of the values; of a node with children the first one, which means nothing
 * @param length     bytes of a value, if they are the same for each
 * @param repetition once, at most once, or any number of times
 * @param children   number of nodes below
 * @param logical    what the values mean
 */
record SchemaElement(
        String name, PhysicalType type, int length, Repetition repetition, int children, LogicalType logical) {

    /** How often there is a value in a row; in the order of the numbers that files state. */
    enum Repetition {
        REQUIRED,
        OPTIONAL,
        REPEATED
    }

    static SchemaElement read(ThriftReader thrift, int type) throws IOException {
        Reading reading = new Reading(thrift);
        thrift.struct(type, reading);
        return reading.element();
    }

    /** The fields while they are read. */
    private static final class Reading implements ThriftReader.Fields {

        private static final int NOT_STATED = -1;
        private static final List<Repetition> REPETITIONS = List.of(Repetition.values());

        private final ThriftReader thrift;
        private PhysicalType type = PhysicalType.BOOLEAN;
        private int length;
        private Repetition repetition = Repetition.REQUIRED;
        private String name = "";
        private int children;
        private int converted = NOT_STATED;
        private int scale;
        private LogicalType logical = LogicalType.NONE;

        Reading(ThriftReader thrift) {
            this.thrift = thrift;
        }

        @Override
        public void read(int id, int field) throws IOException {
            switch (id) {
                case 1 -> type = PhysicalType.of(thrift.int32(field));
                case 2 -> length = thrift.int32(field);
                case 3 -> repetition = repetition(thrift.int32(field));
                case 4 -> name = thrift.text(field);
                case 5 -> children = thrift.int32(field);
                case 6 -> converted = thrift.int32(field);
                case 7 -> scale = thrift.int32(field);
                case 10 -> logical = LogicalType.read(thrift, field);
                default -> thrift.skip(field);
            }
        }

        private static Repetition repetition(int number) {
            if (number < 0 || number >= REPETITIONS.size()) {
                throw new IllegalArgumentException(
                        "a column has the repetition %d; there are 0 to 2".formatted(number));
            }
            return REPETITIONS.get(number);
        }

        SchemaElement element() {
            boolean isOld = logical.kind() == LogicalType.Kind.NONE && converted != NOT_STATED;
            return new SchemaElement(
                    name,
                    type,
                    length,
                    repetition,
                    children,
                    isOld ? LogicalType.converted(converted, scale) : logical);
        }
    }
}
