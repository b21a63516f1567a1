package org.fleetgrad.optim;

import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/**
 * An optimizer as a setting, with PyTorch's hyperparameters and defaults. {@link #parse} reads what {@link #toString}
 * prints.
 *
 * @param settings       its kind and hyperparameters
 * @param isMatricesOnly whether weight decay leaves out tensors of one dimension, which are biases and normalization
 */
public record OptimizerSpec(OptimizerSettings settings, boolean isMatricesOnly) {

    private static final SpecForms FORMS = SpecForms.of(
            "optimizer",
            "its arguments, all of which may be left out",
            3,
            "sgd:momentum=0.9,nesterov=true",
            "`momentum`, `dampening`, `nesterov`, `weight-decay` (L2): 0, 0, false, 0. Nesterov's needs a momentum, and no"
                    + " dampening",
            "adam:beta2=0.99",
            "`beta1`, `beta2`, `epsilon`, `weight-decay` (L2), `amsgrad`: 0.9, 0.999, 1e-8, 0, false",
            "adamw:weight-decay=0.05",
            "the same, but the weight decay is decoupled: 0.01",
            "sgd:weight-decay=0.0005,matrices-only=true",
            "`matrices-only` belongs to every optimizer: weight decay leaves out tensors of one dimension, which are biases"
                    + " and normalization. It never acts on a network's state");

    private static final double SGD_LEARNING_RATE = 0.01;
    private static final double ADAM_LEARNING_RATE = 0.001;

    /**
     * Reads an optimizer.
     *
     * @throws IllegalArgumentException if the text is not an optimizer; the message says what to write
     */
    public static OptimizerSpec parse(String text) {
        return parse(text, Map.of(), 0);
    }

    /**
     * Reads an optimizer whose arguments are not all in the text.
     *
     * @param further  the others, by their names
     * @param momentum of SGD, if none is given
     * @throws IllegalArgumentException as {@link #parse(String)}, and if an argument is given twice
     */
    public static OptimizerSpec parse(String text, Map<String, String> further, float momentum) {
        SpecText given = SpecText.parse(FORMS, text);
        given.add(further);
        boolean isMatricesOnly = given.flag("matrices-only");
        OptimizerSettings settings = switch (given.name()) {
            case "sgd" ->
                new SgdSettings(
                        given.number("momentum", momentum),
                        given.number("dampening", 0),
                        given.flag("nesterov"),
                        given.number("weight-decay", 0));
            case "adam" ->
                new AdamSettings(
                        given.number("beta1", OptimizerSettings.BETA1),
                        given.number("beta2", OptimizerSettings.BETA2),
                        given.number("epsilon", OptimizerSettings.EPSILON),
                        given.number("weight-decay", 0),
                        given.flag("amsgrad"));
            case "adamw" ->
                new AdamWSettings(
                        given.number("beta1", OptimizerSettings.BETA1),
                        given.number("beta2", OptimizerSettings.BETA2),
                        given.number("epsilon", OptimizerSettings.EPSILON),
                        given.number("weight-decay", OptimizerSettings.DECOUPLED_DECAY),
                        given.flag("amsgrad"));
            default -> throw given.unknown();
        };
        given.requireNoMore();
        if (isMatricesOnly && settings.weightDecay() == 0) {
            throw given.needs("a weight decay above 0 for matrices-only");
        }
        return new OptimizerSpec(settings, isMatricesOnly);
    }

    /** Returns the first learning rate of a run that names none. */
    public double usualLearningRate() {
        return settings instanceof SgdSettings ? SGD_LEARNING_RATE : ADAM_LEARNING_RATE;
    }

    /** Prints the optimizer as {@link #parse} reads it. */
    @Override
    public String toString() {
        String text = settings.toString();
        return isMatricesOnly ? text + (text.contains(":") ? "," : ":") + "matrices-only=true" : text;
    }

    /** Returns the table of the forms that {@link #parse} reads, as docs/configuration.md shows it. */
    public static String documentation() {
        return FORMS.table();
    }
}
