package org.fleetgrad.datasets.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Texts with labels as safetensors: {@code tokens} [n, context], U16 up to a vocabulary of 65,536 and U32 above, and {@code labels}
 * as those of images.
 */
final class LabelledTextData {

    private LabelledTextData() {}

    static ByteBuffer encode(LabelledTexts samples, LabelledTextSchema schema) {
        DType type = ShardData.typeOf(schema.task().vocabulary());
        DType labels = ShardData.typeOfLabels(schema.classes().size());
        long count = samples.count();
        TensorLayout layout = TensorLayout.inOrder(List.of(
                new TensorSpec(ShardData.TOKENS, type, List.of(count, (long) samples.context())),
                new TensorSpec(ShardData.LABELS, labels, List.of(count))));
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        ShardData.putTokens(samples.tokens(), type, data);
        ShardData.putLabels(samples.labels(), labels, data);
        return Safetensors.encode(new TensorSet(layout, data.flip(), Map.of()));
    }

    /** Decodes the samples that a description describes. */
    static LabelledTexts decode(
            String source, TensorSet tensors, DatasetDescription description, LabelledTextSchema schema)
            throws InvalidShardException {
        int vocabulary = schema.task().vocabulary();
        int context = schema.encoding().context();
        if (tensors.layout().size() != 2) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TENSORS,
                    "%s has %d tensors; a shard of texts with labels must have 2, tokens and labels"
                            .formatted(ShardArchive.DATA, tensors.layout().size()));
        }
        long count = description.range().count();
        DType type = ShardData.typeOf(vocabulary);
        ShardData.requireTensor(source, tensors, ShardData.TOKENS, List.of(type), List.of(count, (long) context));
        ShardData.requireTensor(source, tensors, ShardData.LABELS, List.of(DType.U8, DType.I64), List.of(count));
        Tokens tokens = ShardData.tokens(source, tensors, type, vocabulary);
        Labels labels = ShardData.labels(source, tensors, schema.classes().size());
        try {
            LabelledTexts samples = new LabelledTexts(tokens, context, labels);
            samples.requireFit(schema);
            return samples;
        } catch (IllegalArgumentException unfit) {
            throw new InvalidShardException(source, ShardRule.TENSORS, String.valueOf(unfit.getMessage()), unfit);
        }
    }
}
