package org.fleetgrad.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LabelsTest {

    @Test
    void shouldHoldTheLabelsOfAsManyClassesAsThereMayBe() {
        Labels labels = Labels.of(0, 255, 256, 999, 65_535);

        assertThat(labels.toArray()).containsExactly(0, 255, 256, 999, 65_535);
        assertThat(labels.largest()).isEqualTo(65_535);
        assertThat(labels.slice(1, 4)).isEqualTo(Labels.of(255, 256, 999));
        assertThatThrownBy(labels::bytes).hasMessage("labels of up to 65535 do not fit into a byte; it holds 0 to 255");
    }

    @Test
    void shouldBeEqualWhateverTheirWidth() {
        Labels narrow = Labels.ofBytes(new byte[] {7, (byte) 200});
        Labels wide = Labels.of(7, 200, 300).slice(0, 2);

        assertThat(wide).isEqualTo(narrow).hasSameHashCodeAs(narrow).isNotEqualTo(Labels.of(7, 201));
        assertThat(Labels.of(7, 200).bytes()).containsExactly(7, 200);
        assertThat(Labels.of().largest()).isEqualTo(-1);
    }

    @Test
    void shouldRefuseWhatIsNoLabel() {
        assertThatThrownBy(() -> Labels.of(3, 65_536)).hasMessage("a label must be from 0 to 65535; label 1 is 65536");
        assertThatThrownBy(() -> Labels.of(-1)).hasMessage("a label must be from 0 to 65535; label 0 is -1");
    }
}
