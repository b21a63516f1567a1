package org.fleetgrad.datasets.table;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.fleetgrad.datasets.InvalidDatasetException;

/** The rows of a file of a table, one after the other. Not thread-safe. */
public interface TableRows extends Closeable {

    /** Most characters of a field. A quote without an end would otherwise take what memory there is. */
    int MOST_FIELD_CHARACTERS = 1 << 20;

    /** Most columns of a file, the target too. */
    int MOST_COLUMNS = 10_000;

    /** Returns the names of the columns; that of a column without a name is empty. */
    List<String> header();

    /**
     * Goes to the next row, or returns false if there is none.
     *
     * @throws InvalidDatasetException if the file breaks a rule
     */
    boolean next() throws IOException;

    /**
     * Returns a field of the row as a CSV of the same table has it, without space around it.
     *
     * @throws InvalidDatasetException if the file breaks a rule, or the column is not readable
     */
    String get(int column) throws IOException;

    /** Returns whether the values of a column are such as a table has. */
    default boolean isReadable(int column) {
        return true;
    }

    /** Returns where in the file the row begins, such as {@code line 5}. */
    String position();

    /** Returns the file and where in it the row begins. */
    String place();

    /** Makes an exception for a field of the row. */
    InvalidDatasetException broken(int column, String detail);
}
