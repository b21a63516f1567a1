package org.fleetgrad.load.open;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.files.text.Printable;

/**
 * What a model of the Open Inference Protocol takes and gives, by its metadata.
 *
 * @param name     of the model
 * @param input    name of its one input
 * @param datatype of the input
 * @param shape    of the input; -1 is any size
 * @param output   name of its first output, which has a number for each class
 * @param answered datatype of the output
 */
record OpenModel(String name, String input, String datatype, List<Long> shape, String output, String answered) {

    private static final List<String> NUMBERS = List.of("FP32", "FP64");

    OpenModel {
        shape = List.copyOf(shape);
    }

    /** A tensor of the metadata. */
    record Tensor(String name, String datatype, List<Long> shape) {}

    /**
     * Chooses the input and the output.
     *
     * @throws IllegalArgumentException if a load cannot ask this model; the message says why
     */
    static OpenModel of(String name, List<Tensor> inputs, List<Tensor> outputs) {
        if (inputs.size() != 1 || outputs.isEmpty()) {
            throw new IllegalArgumentException(
                    "load sends images to a model of 1 input and 1 output or more; the model '%s' has %d inputs and %d outputs"
                            .formatted(name, inputs.size(), outputs.size()));
        }
        Tensor input = inputs.get(0);
        Tensor output = outputs.get(0);
        if (!input.datatype().equals("UINT8") && !input.datatype().equals("FP32")) {
            throw new IllegalArgumentException("load sends UINT8 or FP32; the input '%s' of the model '%s' is %s"
                    .formatted(Printable.text(input.name()), name, Printable.text(input.datatype())));
        }
        if (!NUMBERS.contains(output.datatype())) {
            throw new IllegalArgumentException("load reads FP32 or FP64; the output '%s' of the model '%s' is %s"
                    .formatted(Printable.text(output.name()), name, Printable.text(output.datatype())));
        }
        return new OpenModel(name, input.name(), input.datatype(), input.shape(), output.name(), output.datatype());
    }

    /**
     * Returns the shape of a request's tensor.
     *
     * @param image channels, height and width of the samples
     * @throws IllegalArgumentException if the model takes other samples
     */
    List<Long> shapeOf(int batch, List<Integer> image) {
        List<Long> sizes = image.stream().map(Integer::longValue).toList();
        long values = sizes.stream().reduce(1L, (one, other) -> one * other);
        List<Long> sample = shape.isEmpty() ? List.of() : shape.subList(1, shape.size());
        // Pixels in another order are other pixels; of one channel there is one order.
        boolean isFlat = sample.equals(List.of(values));
        boolean isGrey = image.get(0) == 1 && product(sample) == values;
        boolean isBatch = !shape.isEmpty() && (shape.get(0) < 0 || shape.get(0) == batch);
        if (!isBatch || !(sample.equals(sizes) || isFlat || isGrey)) {
            throw new IllegalArgumentException(
                    "the input '%s' of the model '%s' has the shape %s; a request has %d images of %s"
                            .formatted(Printable.text(input), name, shape, batch, sizes));
        }
        List<Long> all = new ArrayList<>(sample);
        all.add(0, (long) batch);
        return all;
    }

    private static long product(List<Long> sizes) {
        long product = 1;
        for (long size : sizes) {
            product = size < 1 || product > Integer.MAX_VALUE ? -1 : product * size;
        }
        return product;
    }
}
