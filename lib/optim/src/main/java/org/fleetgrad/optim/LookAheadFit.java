package org.fleetgrad.optim;

import org.fleetgrad.optim.OptimizerSettings.SgdSettings;

/** Checks that an optimizer has a momentum along which the rule can look ahead. */
final class LookAheadFit {

    private LookAheadFit() {}

    /** Returns the settings as SGD with a plain momentum; throws if they are anything else. */
    static SgdSettings require(StalenessRule rule, OptimizerSettings optimizer) {
        if (!(optimizer instanceof SgdSettings sgd)) {
            throw new IllegalArgumentException(
                    "%s looks ahead along the momentum of SGD, the optimizer is %s: write SGD with a momentum, or the rule gap-aware"
                            .formatted(rule, optimizer));
        }
        if (sgd.momentum() == 0) {
            throw new IllegalArgumentException(
                    "%s needs a momentum of more than 0; it is %s: write a momentum such as 0.9, or the rule none"
                            .formatted(rule, sgd.momentum()));
        }
        if (sgd.nesterov()) {
            throw new IllegalArgumentException(
                    "%s already is Nesterov's momentum, the optimizer is %s: write nesterov=false"
                            .formatted(rule, optimizer));
        }
        if (sgd.dampening() != 0) {
            throw new IllegalArgumentException(
                    "%s adds the whole gradient to the momentum, the dampening is %s: write a dampening of 0"
                            .formatted(rule, sgd.dampening()));
        }
        return sgd;
    }
}
