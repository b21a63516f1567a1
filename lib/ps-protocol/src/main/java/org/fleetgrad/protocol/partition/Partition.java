package org.fleetgrad.protocol.partition;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorPiece;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * One server's range of the values of a parameter set, taken as one long vector in the order of its layout.
 *
 * @param index  which one, from 0; the server of partition 0 is the lead
 * @param begin  index of its first value
 * @param length number of its values
 * @param layout its tensors: complete ones under their own names, pieces of others as {@code fc1.weight[12000:30840]}
 */
public record Partition(int index, int begin, int length, TensorLayout layout) {

    static Partition cut(TensorLayout whole, int index, int begin, int end) {
        List<TensorSpec> specs = new ArrayList<>();
        long total = whole.elementCount();
        for (int i = 0; i < whole.size(); i++) {
            TensorSpec spec = whole.specs().get(i);
            long first = whole.byteOffset(i) / DType.F32.bytes();
            long last = first + spec.elementCount();
            if (first == last) {
                // A tensor without values still lies in one of the partitions.
                if (begin <= first && (first < end || (first == total && end == total))) {
                    specs.add(spec);
                }
            } else if (begin <= first && last <= end) {
                specs.add(spec);
            } else if (first < end && begin < last) {
                long from = Math.max(begin, first) - first;
                long to = Math.min(end, last) - first;
                specs.add(TensorSpec.f32(TensorPiece.name(spec.name(), from, to), to - from));
            }
        }
        return new Partition(index, begin, end - begin, TensorLayout.inOrder(specs));
    }
}
