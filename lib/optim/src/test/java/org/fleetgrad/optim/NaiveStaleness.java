package org.fleetgrad.optim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;

/** The rules and optimizers written as in their papers, one value at a time and in doubles. Serves as the oracle. */
final class NaiveStaleness {

    private final StalenessRule rule;
    private final OptimizerSettings optimizer;
    private final int size;
    private final Map<String, double[]> meanSquares = new HashMap<>();
    private final Map<String, double[]> workerMomentum = new HashMap<>();
    private final List<double[]> penalties = new ArrayList<>();
    private final double[] v;
    private final double[] q;
    private final double[] qMax;
    private final double[] ra;
    private final double[] stepSquares;
    private double maxRate;
    private int k;
    private int t;

    NaiveStaleness(StalenessRule rule, OptimizerSettings optimizer, int size) {
        this.rule = rule;
        this.optimizer = optimizer;
        this.size = size;
        this.v = new double[size];
        this.q = new double[size];
        this.qMax = new double[size];
        this.ra = new double[size];
        this.stepSquares = new double[size];
    }

    static double written(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    /** Returns the adjusted gradient. */
    double[] arrive(String worker, long tau, float[] g, float[] base, float[] theta, float rate) {
        double[] out = new double[size];
        double[] penalty = new double[size];
        k++;
        maxRate = Math.max(maxRate, (double) rate);
        double[] ms = meanSquares.computeIfAbsent(worker, unknown -> new double[size]);
        for (int i = 0; i < size; i++) {
            double gi = g[i];
            penalty[i] = 1;
            if (rule instanceof Damped) {
                gi = gi / Math.max(1, (double) tau);
            } else if (rule instanceof DelayCompensated dc) {
                gi = gi + written(dc.lambda()) * gi * gi * ((double) theta[i] - (double) base[i]);
            } else if (rule instanceof AdaptiveDelayCompensated dc) {
                ms[i] = written(dc.decay()) * ms[i] + (1 - written(dc.decay())) * gi * gi;
                double lambda = written(dc.lambda()) / Math.sqrt(ms[i] + 1e-7);
                gi = gi + lambda * gi * gi * ((double) theta[i] - (double) base[i]);
            } else if (rule instanceof GapAware ga) {
                double big = written(ga.decay());
                double gap = Math.abs((double) theta[i] - (double) base[i]);
                double c;
                double l2;
                if (optimizer instanceof SgdSettings sgd) {
                    double x = sgd.momentum() == 0 ? gi : v[i];
                    ra[i] = big * ra[i] + (1 - big) * x * x;
                    c = maxRate * (Math.sqrt(ra[i] / (1 - Math.pow(big, k))) + 1e-8);
                    l2 = written(sgd.weightDecay());
                } else {
                    c = Math.sqrt(stepSquares[i]) + 1e-8;
                    l2 = optimizer instanceof AdamSettings adam ? written(adam.weightDecay()) : 0;
                }
                if (tau > 0 && (maxRate > 0 || !(optimizer instanceof SgdSettings))) {
                    penalty[i] = 1 + gap / c;
                    gi = gi / penalty[i] + (double) theta[i] * l2 * ((1 - penalty[i]) / penalty[i]);
                }
            }
            out[i] = gi;
        }
        penalties.add(penalty);
        return out;
    }

    /** Returns the parameters after a step. */
    double[] step(String worker, float[] theta, double[] g, float rate) {
        double[] out = new double[size];
        double eta = written(rate);
        t++;
        double[] vi = workerMomentum.computeIfAbsent(worker, unknown -> new double[size]);
        for (int i = 0; i < size; i++) {
            double p = theta[i];
            if (optimizer instanceof SgdSettings sgd) {
                out[i] = p - eta * sgdUpdate(sgd, vi, i, g[i] + written(sgd.weightDecay()) * p);
            } else if (optimizer instanceof AdamSettings adam) {
                out[i] = p - adamStep(adam, i, g[i] + written(adam.weightDecay()) * p, eta);
            } else if (optimizer instanceof AdamWSettings w) {
                double decay = written(w.weightDecay());
                if (rule instanceof GapAware && !penalties.isEmpty()) {
                    double sum = 0;
                    for (double[] penalty : penalties) {
                        sum += (1 - penalty[i]) / penalty[i];
                    }
                    p = p * (1 - decay * eta * sum / penalties.size());
                }
                p = p * (1 - eta * decay);
                AdamSettings adam = new AdamSettings(w.beta1(), w.beta2(), w.epsilon(), 0, w.amsgrad());
                out[i] = p - adamStep(adam, i, g[i], eta);
            }
        }
        penalties.clear();
        return out;
    }

    private double sgdUpdate(SgdSettings sgd, double[] vi, int i, double d) {
        double gamma = written(sgd.momentum());
        if (rule instanceof LookAheadSlim || gamma == 0) {
            return d;
        }
        if (rule instanceof LookAhead) {
            vi[i] = gamma * vi[i] + d;
            return vi[i];
        }
        v[i] = t == 1 ? d : gamma * v[i] + (1 - written(sgd.dampening())) * d;
        return sgd.nesterov() ? d + gamma * v[i] : v[i];
    }

    private double adamStep(AdamSettings adam, int i, double d, double eta) {
        double b1 = written(adam.beta1());
        double b2 = written(adam.beta2());
        v[i] = b1 * v[i] + (1 - b1) * d;
        q[i] = b2 * q[i] + (1 - b2) * d * d;
        qMax[i] = Math.max(qMax[i], q[i]);
        double used = adam.amsgrad() ? qMax[i] : q[i];
        double denominator = Math.sqrt(used) / Math.sqrt(1 - Math.pow(b2, t)) + written(adam.epsilon());
        double step = eta / (1 - Math.pow(b1, t)) * v[i] / denominator;
        stepSquares[i] = b2 * stepSquares[i] + (1 - b2) * step * step;
        return step;
    }

    /** Returns the values that workers are to compute on. */
    double[] served(float[] theta, float rate) {
        double[] out = new double[size];
        for (int i = 0; i < size; i++) {
            out[i] = theta[i];
            if (rule instanceof LookAhead && optimizer instanceof SgdSettings sgd) {
                for (double[] vi : workerMomentum.values()) {
                    out[i] -= written(rate) * written(sgd.momentum()) * vi[i];
                }
            }
        }
        return out;
    }

    void forget(String worker) {
        meanSquares.remove(worker);
        workerMomentum.remove(worker);
    }
}
