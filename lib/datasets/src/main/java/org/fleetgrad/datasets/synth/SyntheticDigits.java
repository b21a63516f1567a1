package org.fleetgrad.datasets.synth;

import java.util.List;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.datasets.synth.Glyphs.Stroke;

/**
 * Draws digits like those of MNIST: 28 by 28 pixels, bright on dark, labels 0 to 9.
 *
 * <p>Each is a few strokes whose control points wobble, drawn with a pen of random width after a random affine map,
 * with noise on every pixel. The same count and seed give the same bytes on every platform; another seed gives other
 * digits, so training and test samples need different seeds.
 */
public final class SyntheticDigits {

    /** Rows and columns of an image. */
    public static final int SIZE = 28;

    /** Number of classes. */
    public static final int CLASSES = 10;

    private static final int PIXELS = SIZE * SIZE;

    private SyntheticDigits() {}

    /** Draws {@code count} digits in random order. The counts of the classes differ by at most one. */
    public static ImageSamples generate(int count, long seed) {
        if (count < 1) {
            throw new IllegalArgumentException("the number of digits must be 1 or more; it is %d".formatted(count));
        }
        byte[] labels = labels(count, new SplitMix64(seed));
        byte[] images = new byte[Math.multiplyExact(count, PIXELS)];
        Canvas canvas = new Canvas(SIZE);
        for (int i = 0; i < count; i++) {
            draw(labels[i], SplitMix64.of(seed, i), canvas, images, i * PIXELS);
        }
        return new ImageSamples(1, SIZE, SIZE, images, labels);
    }

    private static byte[] labels(int count, SplitMix64 random) {
        byte[] labels = new byte[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            labels[i] = labels[j];
            labels[j] = (byte) (i % CLASSES);
        }
        return labels;
    }

    private static void draw(int digit, SplitMix64 random, Canvas canvas, byte[] images, int offset) {
        Jitter jitter = Jitter.STANDARD;
        canvas.clear();
        List<List<Stroke>> ways = Glyphs.of(digit);
        List<Stroke> strokes = ways.get(random.nextInt(ways.size()));
        Affine affine = Affine.random(random, jitter, SIZE);
        double halfWidth = random.between(jitter.thinnest(), jitter.thickest());
        for (Stroke stroke : strokes) {
            double[] path = stroke.flatten(moved(stroke, affine, jitter.wobble(), random));
            for (int i = 0; i + 3 < path.length; i += 2) {
                canvas.draw(path[i], path[i + 1], path[i + 2], path[i + 3], halfWidth);
            }
        }
        expose(canvas, random, jitter.noise(), images, offset);
    }

    private static double[] moved(Stroke stroke, Affine affine, double wobble, SplitMix64 random) {
        double[] points = stroke.points();
        double[] moved = new double[points.length];
        for (int i = 0; i < points.length; i += 2) {
            double x = points[i] + random.between(-wobble, wobble);
            double y = points[i + 1] + random.between(-wobble, wobble);
            moved[i] = affine.x(x, y);
            moved[i + 1] = affine.y(x, y);
        }
        return moved;
    }

    /** Converts ink to brightness. Eight pixels take their noise from one random number. */
    private static void expose(Canvas canvas, SplitMix64 random, int noise, byte[] images, int offset) {
        long bits = 0;
        for (int i = 0; i < PIXELS; i++) {
            bits = i % 8 == 0 ? random.nextLong() : bits >>> 8;
            int grain = ((int) (bits & 0xff) * noise) >> 8;
            float ink = canvas.ink(i);
            images[offset + i] = (byte) Math.round(ink * (255 - grain) + (1 - ink) * grain);
        }
    }

    /**
     * The range of variation of generated digits.
     *
     * @param rotation largest turn either way, radians
     * @param shear    largest shear of x by y either way
     * @param smallest smallest half height of a digit, in half images
     * @param largest  largest half height of a digit, in half images
     * @param stretch  largest relative change of the width
     * @param shift    largest move along each axis, pixels
     * @param wobble   largest move of a control point along each axis, in half digits
     * @param thinnest smallest half width of a stroke, pixels
     * @param thickest largest half width of a stroke, pixels
     * @param noise    largest brightness of a dark pixel and loss of a bright one, of 255
     */
    record Jitter(
            double rotation,
            double shear,
            double smallest,
            double largest,
            double stretch,
            double shift,
            double wobble,
            double thinnest,
            double thickest,
            int noise) {

        /**
         * Chosen by measurement so that high accuracy needs a convolution: after 12,000 samples a linear classifier stays well
         * below 95 %, LeNet-5 is above 98 % within three epochs.
         */
        static final Jitter STANDARD = new Jitter(0.30, 0.30, 0.55, 0.78, 0.20, 2.5, 0.10, 0.6, 1.6, 40);
    }
}
