package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TorchFileTest {

    private static final byte[] ZIP = {'P', 'K', 3, 4, 0, 0, 8, 8, 0, 0};
    private static final byte[] PICKLE = {(byte) 0x80, 2, (byte) 0x8a, 10, 'l', (byte) 0xfc, (byte) 0x9c, 'F'};

    @Test
    void shouldSayWhatTorchSaveWrote() {
        assertThat(TorchFile.of(ByteBuffer.wrap(ZIP))).contains(TorchFile.ZIP);
        assertThat(TorchFile.of(ByteBuffer.wrap(PICKLE))).contains(TorchFile.PICKLE);
        assertThatThrownBy(() -> Safetensors.decode(ByteBuffer.wrap(ZIP)))
                .hasMessage(
                        "the body is a zip archive, as torch.save writes it, not a safetensors file: the header states 578712552184433488 bytes, accepted are 1048576");
        assertThatThrownBy(() -> Safetensors.decode(ByteBuffer.wrap(PICKLE)))
                .hasMessageStartingWith("the body is a pickle, as torch.save wrote it before PyTorch 1.6");
    }

    @Test
    void shouldReadASafetensorsFileThatBeginsAsAPickle() throws SafetensorsException {
        ByteBuffer file = RawFile.of("{" + " ".repeat(0x0280 - 2) + "}", 0);

        assertThat(TorchFile.of(RawFile.stating(0x028a0280, new byte[1], 0))).contains(TorchFile.PICKLE);
        assertThat(Safetensors.decode(file).layout().size()).isZero();
    }

    @Test
    void shouldQuoteNamesForPython() {
        assertThat(TorchFile.conversion("a\"b\\c.pth", "x")).contains("torch.load(\"a\\\"b\\\\c.pth\", ");
    }

    @Property(tries = 200)
    void shouldTakeAnyBytes(@ForAll byte[] bytes) {
        boolean isZip = bytes.length >= 4 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && bytes[3] == 4;
        boolean isPickle = bytes.length >= 4 && bytes[0] == (byte) 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
        assertThat(TorchFile.of(ByteBuffer.wrap(bytes)).isPresent()).isEqualTo(isZip || isPickle);
    }
}
