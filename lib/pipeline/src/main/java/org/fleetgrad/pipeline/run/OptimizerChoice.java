package org.fleetgrad.pipeline.run;

import java.util.BitSet;
import java.util.Locale;
import org.fleetgrad.optim.DecayRanges;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The optimizer of every stage, as plain values.
 *
 * @param name           sgd, adam or adamw
 * @param momentum       of SGD
 * @param nesterov       whether SGD looks ahead along its momentum
 * @param weightDecay    L2 for SGD and Adam, decoupled for AdamW
 * @param isMatricesOnly whether weight decay skips biases and normalization: tensors of one dimension
 */
public record OptimizerChoice(
        String name, double momentum, boolean nesterov, double weightDecay, boolean isMatricesOnly) {

    private static final float BETA1 = 0.9f;
    private static final float BETA2 = 0.999f;
    private static final float EPSILON = 1e-8f;

    /**
     * Returns the settings.
     *
     * @throws IllegalArgumentException if there is no such optimizer
     */
    public OptimizerSettings settings() {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "sgd" -> new SgdSettings((float) momentum, 0, nesterov, (float) weightDecay);
            case "adam" -> new AdamSettings(BETA1, BETA2, EPSILON, (float) weightDecay, false);
            case "adamw" -> new AdamWSettings(BETA1, BETA2, EPSILON, (float) weightDecay, false);
            default ->
                throw new IllegalArgumentException(
                        "there is no optimizer '%s': write sgd, adam or adamw".formatted(name));
        };
    }

    /** Returns the number of values that the optimizer keeps for each parameter. */
    public int arrays() {
        return settings() instanceof SgdSettings sgd ? (sgd.momentum() == 0 ? 0 : 1) : 2;
    }

    /** Returns on which of a stage's parameters weight decay acts. */
    public DecayRanges ranges(TensorLayout parameters) {
        BitSet undecayed = new BitSet();
        for (int i = 0; isMatricesOnly && i < parameters.size(); i++) {
            TensorSpec tensor = parameters.specs().get(i);
            if (tensor.shape().size() < 2) {
                int begin = Math.toIntExact(parameters.byteOffset(i) / DType.F32.bytes());
                undecayed.set(begin, begin + Math.toIntExact(tensor.elementCount()));
            }
        }
        return DecayRanges.without(Math.toIntExact(parameters.elementCount()), undecayed);
    }
}
