package org.fleetgrad.datasets.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.shard.InvalidShardException.ShardRule;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The samples of a shard as safetensors: {@code images} U8 [n, c, h, w] and {@code labels} [n], U8 up to 256 classes and
 * I64, PyTorch's type for them, above. Labels of either type are read, whatever the number of classes. A text is {@code tokens}
 * [n], U16 up to a vocabulary of 65,536 and U32 above: of training samples, 2 {@code context} tokens each.
 */
final class ShardData {

    private static final String IMAGES = "images";
    static final String LABELS = "labels";
    static final String TOKENS = "tokens";
    private static final int SHORT_VOCABULARY = 1 << 16;
    private static final int BYTE_CLASSES = 256;

    private ShardData() {}

    static ByteBuffer encode(Samples samples, Schema schema) {
        if (samples instanceof TextSamples text) {
            return encode(text, ((TextSchema) schema).tokenizer().vocabulary());
        }
        if (samples instanceof TableSamples rows) {
            return TableData.encode(rows, (RowSchema) schema);
        }
        if (samples instanceof LabelledTexts texts) {
            return LabelledTextData.encode(texts, (LabelledTextSchema) schema);
        }
        return encode((ImageSamples) samples, ((ImageSchema) schema).classes().size());
    }

    private static ByteBuffer encode(TextSamples samples, int vocabulary) {
        Tokens tokens = samples.tokens();
        DType type = typeOf(vocabulary);
        TensorLayout layout =
                TensorLayout.inOrder(List.of(new TensorSpec(TOKENS, type, List.of((long) tokens.count()))));
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        putTokens(tokens, type, data);
        return Safetensors.encode(new TensorSet(layout, data.flip(), Map.of()));
    }

    static void putTokens(Tokens tokens, DType type, ByteBuffer data) {
        for (int i = 0; i < tokens.count(); i++) {
            if (type == DType.U16) {
                data.putShort((short) tokens.get(i));
            } else {
                data.putInt(tokens.get(i));
            }
        }
    }

    static void putLabels(Labels labels, DType type, ByteBuffer data) {
        for (int i = 0; i < labels.count(); i++) {
            if (type == DType.U8) {
                data.put((byte) labels.get(i));
            } else {
                data.putLong(labels.get(i));
            }
        }
    }

    private static ByteBuffer encode(ImageSamples samples, int classes) {
        long count = samples.count();
        DType labels = typeOfLabels(classes);
        TensorLayout layout = TensorLayout.inOrder(List.of(
                new TensorSpec(IMAGES, DType.U8, imagesShape(count, samples.shape())),
                new TensorSpec(LABELS, labels, List.of(count))));
        ByteBuffer data =
                ByteBuffer.allocate(Math.toIntExact(layout.byteLength())).order(ByteOrder.LITTLE_ENDIAN);
        data.put(samples.images());
        putLabels(samples.labels(), labels, data);
        return Safetensors.encode(new TensorSet(layout, data.flip(), Map.of()));
    }

    /** Decodes the samples that {@code description} describes. Allocates nothing before the shapes match. */
    static Samples decode(String source, DatasetDescription description, byte[] data) throws InvalidShardException {
        TensorSet tensors;
        try {
            tensors = Safetensors.decode(ByteBuffer.wrap(data));
        } catch (SafetensorsException broken) {
            throw new InvalidShardException(
                    source, ShardRule.SAFETENSORS, ShardArchive.DATA + ": " + broken.getMessage(), broken);
        }
        if (description.schema() instanceof RowSchema table) {
            return TableData.decode(source, tensors, description, table);
        }
        if (description.schema() instanceof LabelledTextSchema texts) {
            return LabelledTextData.decode(source, tensors, description, texts);
        }
        if (description.schema() instanceof TextSchema text) {
            return texts(source, tensors, description, text);
        }
        return images(source, tensors, description, (ImageSchema) description.schema());
    }

    private static TextSamples texts(
            String source, TensorSet tensors, DatasetDescription description, TextSchema schema)
            throws InvalidShardException {
        int vocabulary = schema.tokenizer().vocabulary();
        TensorSpec spec = tensors.layout().specs().get(0);
        if (tensors.layout().size() != 1
                || !spec.name().equals(TOKENS)
                || spec.shape().size() != 1
                || spec.dtype() != typeOf(vocabulary)) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TENSORS,
                    "%s has the tensors %s; a shard of a text with a vocabulary of %d has one, %s %s [count]"
                            .formatted(
                                    ShardArchive.DATA,
                                    tensors.layout().specs(),
                                    vocabulary,
                                    TOKENS,
                                    typeOf(vocabulary)));
        }
        Tokens tokens = tokens(source, tensors, spec.dtype(), vocabulary);
        try {
            TextSamples samples = description.split() == Split.TRAIN
                    ? TextSamples.ofRows(tokens, schema.context())
                    : TextSamples.heldOut(tokens, schema.context());
            if (samples.count() != description.range().count()) {
                throw new IllegalArgumentException("%d tokens are %d samples of %d, %s states %d"
                        .formatted(
                                tokens.count(),
                                samples.count(),
                                schema.context(),
                                ShardArchive.DESCRIPTION,
                                description.range().count()));
            }
            return samples;
        } catch (IllegalArgumentException unfit) {
            throw new InvalidShardException(source, ShardRule.TENSORS, String.valueOf(unfit.getMessage()), unfit);
        }
    }

    /** Reads the tokens, whose tensor's type and shape are checked. */
    static Tokens tokens(String source, TensorSet tensors, DType type, int vocabulary) throws InvalidShardException {
        ByteBuffer bytes = tensors.bytes(TOKENS).orElseThrow().order(ByteOrder.LITTLE_ENDIAN);
        int[] tokens = new int[bytes.remaining() / type.bytes()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = type == DType.U16 ? Short.toUnsignedInt(bytes.getShort()) : bytes.getInt();
            if (tokens[i] < 0 || tokens[i] >= vocabulary) {
                throw new InvalidShardException(
                        source,
                        ShardRule.TOKEN,
                        "token %d is %s, the vocabulary has the tokens 0 to %d"
                                .formatted(i, Integer.toUnsignedString(tokens[i]), vocabulary - 1));
            }
        }
        return Tokens.of(tokens);
    }

    static DType typeOf(int vocabulary) {
        return vocabulary <= SHORT_VOCABULARY ? DType.U16 : DType.U32;
    }

    static DType typeOfLabels(int classes) {
        return classes <= BYTE_CLASSES ? DType.U8 : DType.I64;
    }

    private static ImageSamples images(
            String source, TensorSet tensors, DatasetDescription description, ImageSchema schema)
            throws InvalidShardException {
        if (tensors.layout().size() != 2) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TENSORS,
                    "%s has %d tensors; a shard must have 2, images and labels"
                            .formatted(ShardArchive.DATA, tensors.layout().size()));
        }
        long count = description.range().count();
        requireTensor(source, tensors, IMAGES, List.of(DType.U8), imagesShape(count, schema.shape()));
        requireTensor(source, tensors, LABELS, List.of(DType.U8, DType.I64), List.of(count));
        byte[] images = bytes(tensors, IMAGES);
        Labels labels = labels(source, tensors, schema.classes().size());
        List<Integer> shape = schema.shape();
        return new ImageSamples(shape.get(0), shape.get(1), shape.get(2), images, labels);
    }

    private static List<Long> imagesShape(long count, List<Integer> shape) {
        return List.of(
                count,
                shape.get(0).longValue(),
                shape.get(1).longValue(),
                shape.get(2).longValue());
    }

    static void requireTensor(String source, TensorSet tensors, String name, List<DType> dtypes, List<Long> shape)
            throws InvalidShardException {
        TensorSpec spec = tensors.layout()
                .indexOf(name)
                .map(index -> tensors.layout().specs().get(index))
                .orElseThrow(() -> new InvalidShardException(
                        source, ShardRule.TENSORS, "%s has no tensor '%s'".formatted(ShardArchive.DATA, name)));
        if (!dtypes.contains(spec.dtype()) || !spec.shape().equals(shape)) {
            throw new InvalidShardException(
                    source,
                    ShardRule.TENSORS,
                    "tensor '%s' is %s %s, %s requires %s %s"
                            .formatted(name, spec.dtype(), spec.shape(), ShardArchive.DESCRIPTION, dtypes, shape));
        }
    }

    static Labels labels(String source, TensorSet tensors, int classes) throws InvalidShardException {
        ByteBuffer bytes = tensors.bytes(LABELS).orElseThrow().order(ByteOrder.LITTLE_ENDIAN);
        int width = tensors.layout()
                .specs()
                .get(tensors.layout().indexOf(LABELS).orElseThrow())
                .dtype()
                .bytes();
        int[] labels = new int[bytes.remaining() / width];
        for (int i = 0; i < labels.length; i++) {
            long label = width == 1 ? Byte.toUnsignedLong(bytes.get()) : bytes.getLong();
            if (label < 0 || label >= classes) {
                throw new InvalidShardException(
                        source,
                        ShardRule.LABEL,
                        "sample %d has the label %d, there are %d classes".formatted(i, label, classes));
            }
            labels[i] = (int) label;
        }
        return Labels.of(labels);
    }

    private static byte[] bytes(TensorSet tensors, String name) {
        ByteBuffer view = tensors.bytes(name).orElseThrow();
        byte[] bytes = new byte[view.remaining()];
        view.get(bytes);
        return bytes;
    }
}
