package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.Task;

/** What the outputs of a batch are compared with. Checked before anything is computed. */
sealed interface Targets permits Targets.Classes, Targets.Numbers, Targets.YesOrNo, WeightedTargets {

    /** Of a batch whose outputs are compared with nothing. */
    Targets NONE = new Classes(new long[0], 0);

    /**
     * Takes the targets of a batch.
     *
     * @throws IllegalArgumentException if there are too few, if one is not a class, not a number or neither no nor yes, if no token
     *     counts, if numbers or labels have label smoothing, or if the loss weights are not those of such samples
     */
    static Targets of(float[] targets, int count, Task task, float labelSmoothing, LossWeights weights) {
        int needed = Math.multiplyExact(count, task.targets());
        if (targets.length < needed) {
            throw new IllegalArgumentException("a batch of %d %s takes %d targets; there are %d"
                    .formatted(count, task.samples(), needed, targets.length));
        }
        if (!weights.areEqual()) {
            WeightedTargets.requireFit(weights, count, task);
        }
        if (task.question() instanceof Regression regression) {
            Numbers numbers = numbers(targets, needed, regression.loss(), labelSmoothing);
            return weights.areEqual() ? numbers : WeightedTargets.of(numbers, weights);
        }
        if (task.question() instanceof Labels labels) {
            YesOrNo answers = labels(targets, needed, labels.labels(), labelSmoothing);
            return weights.areEqual() ? answers : WeightedTargets.of(answers, weights);
        }
        Classes classes = new Classes(CrossEntropy.labels(targets, needed, task), labelSmoothing);
        return weights.areEqual() ? classes : WeightedTargets.of(classes, task.classes(), weights);
    }

    private static Numbers numbers(float[] targets, int count, Loss loss, float labelSmoothing) {
        if (labelSmoothing != 0) {
            throw new IllegalArgumentException(
                    "label smoothing is for classes; these are numbers, and it is %s".formatted(labelSmoothing));
        }
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            if (!Float.isFinite(targets[i])) {
                throw new IllegalArgumentException("the target of sample %d is %s".formatted(i, targets[i]));
            }
            values[i] = targets[i];
        }
        return new Numbers(values, loss);
    }

    private static YesOrNo labels(float[] targets, int count, int labels, float labelSmoothing) {
        if (labelSmoothing != 0) {
            throw new IllegalArgumentException("label smoothing is for classes; these are %d labels, and it is %s"
                    .formatted(labels, labelSmoothing));
        }
        float[] signs = new float[count];
        for (int i = 0; i < count; i++) {
            if (targets[i] != 0 && targets[i] != 1) {
                throw new IllegalArgumentException(
                        "label %d of sample %d is %s; it must be 0 or 1".formatted(i % labels, i / labels, targets[i]));
            }
            signs[i] = 1 - 2 * targets[i];
        }
        return new YesOrNo(signs, labels);
    }

    /** Computes the mean loss of a batch's outputs; with loss weights their sum, each with its weight. */
    PtNDArray loss(PtNDArray outputs);

    /** Returns what {@link #loss} is divided by to make it the mean. */
    double divisor();

    /** Counts the predictions that are right; a number never is, and of labels none is counted. */
    int right(float[] outputs);

    /**
     * The class of each prediction.
     *
     * @param labels    one for each prediction
     * @param smoothing share of the target that is spread over all classes
     */
    record Classes(long[] labels, float smoothing) implements Targets {

        @Override
        public PtNDArray loss(PtNDArray outputs) {
            PtNDArray classes = (PtNDArray) outputs.getManager().create(labels, new Shape(labels.length, 1));
            return CrossEntropy.mean(outputs, classes, smoothing);
        }

        @Override
        public double divisor() {
            return 1;
        }

        @Override
        public int right(float[] outputs) {
            return CrossEntropy.correct(outputs, labels);
        }
    }

    /**
     * No or yes to each label of each sample.
     *
     * @param signs  1 for no, -1 for yes
     * @param labels of a sample
     */
    record YesOrNo(float[] signs, int labels) implements Targets {

        /**
         * With x the log-odds of yes, the cross-entropy is {@code log(1 + exp(x))} of no and {@code log(1 + exp(-x))} of yes: it neither
         * overflows nor takes the logarithm of a probability that is rounded to 0.
         */
        @Override
        public PtNDArray loss(PtNDArray outputs) {
            return JniUtils.mean(each(outputs));
        }

        /** Computes the loss of each label. */
        PtNDArray each(PtNDArray outputs) {
            PtNDArray sign = (PtNDArray) outputs.getManager().create(signs, new Shape(signs.length / labels, labels));
            return JniUtils.softPlus(JniUtils.mul(outputs, sign));
        }

        @Override
        public double divisor() {
            return 1;
        }

        @Override
        public int right(float[] outputs) {
            return 0;
        }
    }

    /**
     * The number of each sample.
     *
     * @param values one for each sample
     * @param loss   of a difference
     */
    record Numbers(float[] values, Loss loss) implements Targets {

        @Override
        public PtNDArray loss(PtNDArray outputs) {
            return JniUtils.mean(each(outputs));
        }

        /** Computes the loss of each sample. */
        PtNDArray each(PtNDArray outputs) {
            PtNDManager batch = outputs.getManager();
            PtNDArray difference = outputs.sub(batch.create(values, new Shape(values.length, 1)));
            return switch (loss) {
                case SQUARED -> JniUtils.mul(difference, difference);
                case ABSOLUTE -> JniUtils.abs(difference);
                case HUBER -> huber(difference);
            };
        }

        /** With c = min(|d|, 1): c^2 / 2 + |d| - c, whose gradient is d up to 1, and then the sign of d. */
        private static PtNDArray huber(PtNDArray difference) {
            PtNDManager batch = difference.getManager();
            PtNDArray size = JniUtils.abs(difference);
            PtNDArray cut = JniUtils.min(size, (PtNDArray) batch.ones(size.getShape()));
            PtNDArray square = JniUtils.mul(JniUtils.mul(cut, cut), (PtNDArray) batch.create(0.5f));
            return JniUtils.add(square, JniUtils.sub(size, cut));
        }

        @Override
        public double divisor() {
            return 1;
        }

        @Override
        public int right(float[] outputs) {
            return 0;
        }
    }
}
