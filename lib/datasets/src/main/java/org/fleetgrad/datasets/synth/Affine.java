package org.fleetgrad.datasets.synth;

import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.synth.SyntheticDigits.Jitter;

/** The map (x, y) to (a x + b y + tx, c x + d y + ty) from a digit's coordinates to pixels. */
record Affine(double a, double b, double c, double d, double tx, double ty) {

    /**
     * Draws rotation, shear, the scale of each axis and the position. They are applied in this order: shear, scale,
     * rotation, position.
     */
    static Affine random(SplitMix64 random, Jitter jitter, int size) {
        double angle = random.between(-jitter.rotation(), jitter.rotation());
        double shear = random.between(-jitter.shear(), jitter.shear());
        double scale = random.between(jitter.smallest(), jitter.largest()) * size / 2;
        double stretch = random.between(1 - jitter.stretch(), 1 + jitter.stretch());
        double middle = (size - 1) / 2.0;
        // StrictMath gives the same bits on every platform.
        double cos = StrictMath.cos(angle);
        double sin = StrictMath.sin(angle);
        double sx = scale * stretch;
        return new Affine(
                cos * sx,
                cos * sx * shear - sin * scale,
                sin * sx,
                sin * sx * shear + cos * scale,
                middle + random.between(-jitter.shift(), jitter.shift()),
                middle + random.between(-jitter.shift(), jitter.shift()));
    }

    double x(double x, double y) {
        return a * x + b * y + tx;
    }

    double y(double x, double y) {
        return c * x + d * y + ty;
    }
}
