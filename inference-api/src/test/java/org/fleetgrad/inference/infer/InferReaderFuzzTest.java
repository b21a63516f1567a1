package org.fleetgrad.inference.infer;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.images.InvalidImagesException;

class InferReaderFuzzTest {

    private static final TableSchema TABLE = new TableSchema(
            List.of(
                    new NumberColumn("a", 0, 1, true),
                    new CategoryColumn("b", List.of("x", "y")),
                    new DateColumn("c", false, 2000, 1, false)),
            new NumberTarget("d", 0, 1));
    private static final List<SampleForm> FORMS = List.of(
            new SampleForm(
                    new ServedNetwork("images", new ImageClassification(List.of(1, 2, 3), 2), 1), Optional.empty()),
            new SampleForm(new ServedNetwork("table", TABLE.task(), 1), Optional.empty(), Optional.of(TABLE)));

    /** The first byte is the length of the JSON, if it is not 0. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        byte[] body = Arrays.copyOfRange(bytes, 1, bytes.length);
        for (SampleForm form : FORMS) {
            try {
                Object unused = InferReader.read(body, bytes[0] == 0 ? null : Integer.toString(bytes[0]))
                        .samples(form, 2, new SampleMemory(1 << 20).lease());
            } catch (RequestRefused | InvalidImagesException refused) {
                // As documented.
            }
        }
    }
}
