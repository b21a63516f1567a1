package org.fleetgrad.protocol.safetensors;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Tensor sets of every type, of zero to four tensors, with names and metadata from all of Unicode. */
final class TensorSetArbitraries {

    private TensorSetArbitraries() {}

    static Arbitrary<TensorSet> sets() {
        return Combinators.combine(
                        layouts(), Arbitraries.maps(texts(0), texts(0)).ofMaxSize(3), Arbitraries.longs())
                .as((layout, metadata, seed) -> {
                    byte[] data = new byte[Math.toIntExact(layout.byteLength())];
                    new Random(seed).nextBytes(data);
                    return new TensorSet(layout, ByteBuffer.wrap(data), metadata);
                });
    }

    private static Arbitrary<TensorLayout> layouts() {
        Arbitrary<List<Long>> shapes = Arbitraries.longs().between(0, 4).list().ofMaxSize(3);
        return Combinators.combine(texts(1), Arbitraries.of(DType.class), shapes)
                .as(TensorSpec::new)
                .filter(spec -> !spec.name().equals(Safetensors.METADATA))
                .list()
                .ofMaxSize(4)
                .uniqueElements(TensorSpec::name)
                .map(TensorLayout::inOrder);
    }

    /** Texts with what JSON has to escape, with what UTF-8 takes one to four bytes for, and with nothing unpaired. */
    private static Arbitrary<String> texts(int minimumLength) {
        Arbitrary<Integer> codePoints = Arbitraries.oneOf(
                Arbitraries.of('"', '\\', '/', '{', ',', ':').map(c -> (int) c),
                Arbitraries.integers().between(0, 0x7F),
                Arbitraries.integers().between(0x80, 0xD7FF),
                Arbitraries.integers().between(0xE000, Character.MAX_CODE_POINT));
        return codePoints
                .list()
                .ofMinSize(minimumLength)
                .ofMaxSize(6)
                .map(points -> points.stream()
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString());
    }
}
