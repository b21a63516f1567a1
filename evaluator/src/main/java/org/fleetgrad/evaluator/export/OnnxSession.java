package org.fleetgrad.evaluator.export;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.onnx.OnnxExport;
import org.fleetgrad.onnx.file.ValueInfo;

/** An exported model, opened with onnxruntime on the processor. Not thread-safe. */
public final class OnnxSession implements AutoCloseable {

    private final OnnxExport export;
    private final OrtEnvironment environment;
    private final OrtSession session;

    private OnnxSession(OnnxExport export, OrtEnvironment environment, OrtSession session) {
        this.export = export;
        this.environment = environment;
        this.session = session;
    }

    /**
     * Opens a file.
     *
     * @param export of which it was written
     * @throws IOException if onnxruntime refuses it
     */
    public static OnnxSession open(Path file, OnnxExport export) throws IOException {
        try (SessionOptions options = new SessionOptions()) {
            OrtEnvironment environment = OrtEnvironment.getEnvironment();
            environment.setTelemetry(false);
            // As libtorch has here.
            options.setIntraOpNumThreads(1);
            return new OnnxSession(export, environment, environment.createSession(file.toString(), options));
        } catch (OrtException refused) {
            throw new IOException("onnxruntime cannot open the model: " + refused.getMessage(), refused);
        }
    }

    /**
     * Returns the outputs for samples as the network takes them: what it answers, before the units of a target.
     *
     * @throws IOException if onnxruntime cannot compute them
     */
    public double[] outputs(float[] samples, int count) throws IOException {
        List<Object> values = export.form().values(samples, count);
        Map<String, OnnxTensor> inputs = new HashMap<>();
        try {
            for (int i = 0; i < values.size(); i++) {
                ValueInfo input = export.model().inputs().get(i);
                inputs.put(input.name(), tensor(values.get(i), shape(input, values.get(i), count)));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                return export.answer().outputs(numbers((OnnxTensor) result.get(0)));
            }
        } catch (OrtException failed) {
            throw new IOException("onnxruntime cannot run the model: " + failed.getMessage(), failed);
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    /** The free sides are the samples, and the rest of the values. */
    private static long[] shape(ValueInfo input, Object values, int count) {
        List<Long> shape = new ArrayList<>();
        long rest = java.lang.reflect.Array.getLength(values) / count;
        for (int i = 0; i < input.shape().size(); i++) {
            String side = input.shape().get(i);
            boolean isNumber = Character.isDigit(side.charAt(0));
            shape.add(isNumber ? Long.parseLong(side) : i == 0 ? count : rest);
        }
        return shape.stream().mapToLong(Long::longValue).toArray();
    }

    private OnnxTensor tensor(Object values, long[] shape) throws OrtException {
        // Java 17 has no switch over types.
        if (values instanceof float[] floats) {
            return OnnxTensor.createTensor(environment, FloatBuffer.wrap(floats), shape);
        } else if (values instanceof double[] doubles) {
            return OnnxTensor.createTensor(environment, DoubleBuffer.wrap(doubles), shape);
        } else if (values instanceof long[] longs) {
            return OnnxTensor.createTensor(environment, LongBuffer.wrap(longs), shape);
        }
        return OnnxTensor.createTensor(environment, (String[]) values, shape);
    }

    private static double[] numbers(OnnxTensor answer) {
        FloatBuffer floats = answer.getFloatBuffer();
        DoubleBuffer doubles = answer.getDoubleBuffer();
        int count = floats == null ? doubles.remaining() : floats.remaining();
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = floats == null ? doubles.get(i) : floats.get(i);
        }
        return numbers;
    }

    @Override
    public void close() throws IOException {
        try {
            session.close();
        } catch (OrtException failed) {
            throw new IOException("onnxruntime cannot close the model: " + failed.getMessage(), failed);
        }
    }
}
