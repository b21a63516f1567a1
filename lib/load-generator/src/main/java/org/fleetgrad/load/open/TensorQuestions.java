package org.fleetgrad.load.open;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient.Reply;
import org.fleetgrad.load.question.Questions;
import org.fleetgrad.load.question.Verdict;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/** What both ways of the Open Inference Protocol have in common: tensors as little-endian bytes, and the class with the largest number. */
abstract class TensorQuestions implements Questions {

    private static final int BYTE_MASK = 0xFF;
    private static final int OK = 200;
    /** Fleetgrad names a generation, too; of others the version is a number alone. */
    private static final Pattern VERSION = Pattern.compile("(?:([0-9A-Za-z_-]{1,64})-)?([0-9]{1,18})");

    private final LoadRequests requests;
    private final OpenModel model;
    private final List<Long> shape;

    TensorQuestions(LoadRequests requests, OpenModel model) {
        this.requests = requests;
        this.model = model;
        this.shape = model.shapeOf(requests.batch(), requests.shape());
    }

    OpenModel model() {
        return model;
    }

    List<Long> shape() {
        return shape;
    }

    /** An answer's first output. */
    record Output(String version, byte[] values) {}

    /** Returns the output of an answer, or throws {@link IllegalArgumentException} that says what is wrong with it. */
    abstract Output output(byte[] body);

    /** Returns what a refusal says. */
    abstract String refusal(Reply reply);

    /** Returns the tensor of a request. */
    final byte[] tensor(long number) {
        byte[] pixels = requests.pixels(number);
        if (model.datatype().equals("UINT8")) {
            return pixels;
        }
        ByteBuffer values = ByteBuffer.allocate(Math.multiplyExact(pixels.length, Float.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (byte pixel : pixels) {
            values.putFloat(pixel & BYTE_MASK);
        }
        return values.array();
    }

    @Override
    public final Verdict read(long number, Reply reply) {
        if (reply.status() != OK) {
            return Verdict.failed(Printable.text(refusal(reply)));
        }
        try {
            Output output = output(reply.body());
            int[] classes = classes(output.values());
            return new Verdict(requests.right(number, classes), requests.batch(), version(output.version()), "", "");
        } catch (IllegalArgumentException unfit) {
            return Verdict.failed(Printable.text(String.valueOf(unfit.getMessage())));
        }
    }

    private int[] classes(byte[] values) {
        boolean isWide = model.answered().equals("FP64");
        int size = isWide ? Double.BYTES : Float.BYTES;
        int batch = requests.batch();
        if (values.length == 0 || values.length % (size * batch) != 0) {
            throw new IllegalArgumentException("the output '%s' has %d bytes, which are no %s of %d images"
                    .formatted(model.output(), values.length, model.answered(), batch));
        }
        ByteBuffer data = ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
        int[] classes = new int[batch];
        int width = values.length / size / batch;
        for (int i = 0; i < batch; i++) {
            double most = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < width; j++) {
                double value = isWide ? data.getDouble() : data.getFloat();
                if (value > most) {
                    most = value;
                    classes[i] = j;
                }
            }
        }
        return classes;
    }

    private static Optional<AnsweringVersion> version(String text) {
        Matcher version = VERSION.matcher(text);
        if (!version.matches()) {
            return Optional.empty();
        }
        String generation = version.group(1) == null ? "-" : version.group(1);
        return Optional.of(new AnsweringVersion(generation, Long.parseLong(version.group(2))));
    }

    @Override
    public byte[] feedback(long number, String answer) {
        throw new UnsupportedOperationException("the protocol has no feedback");
    }

    @Override
    public String refusalOfFeedback(Reply reply) {
        throw new UnsupportedOperationException("the protocol has no feedback");
    }
}
