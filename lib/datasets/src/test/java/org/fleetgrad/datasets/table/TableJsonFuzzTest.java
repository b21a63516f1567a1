package org.fleetgrad.datasets.table;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.datasets.TableSchema;

class TableJsonFuzzTest {

    /** A schema is read and encodes a row, or is refused with the field. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        TableSchema schema;
        try {
            schema = TableJson.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException refused) {
            // As documented.
            return;
        }
        // It throws where a column takes other than its width.
        new RowEncoder(schema).begin(new float[schema.width()], 0);
    }
}
