package org.fleetgrad.datasets.synth;

import static org.fleetgrad.datasets.synth.Stroke.curve;
import static org.fleetgrad.datasets.synth.Stroke.line;

import java.util.List;

/** The shapes of the digits: one or more ways to write each, as strokes. */
final class Glyphs {

    private static final Stroke BOWL_OF_FIVE =
            curve(-0.45, -0.15, 0.1, -0.3, 0.55, 0.1, 0.5, 0.65, 0.05, 1, -0.55, 0.8);
    private static final Stroke STEM_OF_SEVEN = line(-0.55, -1, 0.55, -1, -0.15, 1);

    private static final List<List<List<Stroke>>> WAYS = List.of(
            List.of(
                    List.of(curve(
                            0, -1, 0.45, -0.75, 0.6, 0, 0.45, 0.75, 0, 1, -0.45, 0.75, -0.6, 0, -0.45, -0.75, 0, -1)),
                    List.of(curve(
                            0.2, -0.95, -0.35, -0.8, -0.5, 0, -0.35, 0.8, 0.05, 1, 0.4, 0.7, 0.45, -0.2, 0.15, -0.85,
                            -0.15, -0.9))),
            List.of(
                    List.of(line(0, -1, 0, 1)),
                    List.of(line(-0.35, -0.6, 0, -1, 0, 1)),
                    List.of(line(-0.35, -0.6, 0, -1, 0, 1), line(-0.35, 1, 0.35, 1))),
            List.of(
                    List.of(
                            curve(-0.5, -0.6, -0.3, -0.92, 0.1, -1, 0.5, -0.7, 0.45, -0.25, 0, 0.35, -0.55, 1),
                            line(-0.55, 1, 0.6, 1)),
                    List.of(curve(
                            -0.5, -0.65, -0.1, -1, 0.4, -0.75, 0.3, -0.1, -0.2, 0.7, -0.5, 0.85, -0.3, 0.6, 0.1, 0.85,
                            0.6, 0.9))),
            List.of(
                    List.of(
                            curve(-0.5, -0.8, 0, -1, 0.45, -0.7, 0.4, -0.25, -0.05, -0.05),
                            curve(-0.05, -0.05, 0.5, 0.2, 0.55, 0.65, 0.1, 1, -0.55, 0.8)),
                    List.of(
                            line(-0.5, -1, 0.5, -1, -0.05, -0.2),
                            curve(-0.05, -0.2, 0.5, 0.1, 0.55, 0.6, 0.1, 1, -0.55, 0.8))),
            List.of(
                    List.of(line(0.2, -1, -0.6, 0.35, 0.6, 0.35), line(0.3, -0.3, 0.3, 1)),
                    List.of(line(-0.45, -1, -0.5, 0.1, 0.6, 0.1), line(0.4, -1, 0.4, 1)),
                    List.of(line(0.3, 1, 0.3, -1, -0.6, 0.35, 0.6, 0.35))),
            List.of(
                    List.of(line(0.5, -1, -0.4, -1, -0.45, -0.15), BOWL_OF_FIVE),
                    List.of(line(-0.4, -1, -0.45, -0.15), line(-0.4, -1, 0.55, -0.9), BOWL_OF_FIVE)),
            List.of(
                    List.of(curve(
                            0.4, -1, -0.15, -0.6, -0.5, 0.1, -0.4, 0.75, 0, 1, 0.45, 0.75, 0.45, 0.25, 0.05, 0, -0.4,
                            0.3)),
                    List.of(curve(
                            0, -1, -0.4, -0.3, -0.5, 0.4, -0.2, 0.95, 0.3, 0.9, 0.45, 0.5, 0.1, 0.2, -0.35, 0.55))),
            List.of(
                    List.of(STEM_OF_SEVEN),
                    List.of(STEM_OF_SEVEN, line(-0.3, 0, 0.45, 0)),
                    List.of(curve(-0.5, -0.9, 0, -0.95, 0.5, -0.95, 0.15, -0.1, -0.1, 1))),
            List.of(
                    List.of(
                            curve(0, -0.05, 0.4, -0.35, 0.4, -0.75, 0, -1, -0.4, -0.75, -0.4, -0.35, 0, -0.05),
                            curve(0, -0.05, 0.52, 0.3, 0.5, 0.75, 0, 1, -0.5, 0.75, -0.52, 0.3, 0, -0.05)),
                    List.of(curve(
                            0.4, -0.8, 0, -1, -0.4, -0.7, -0.1, -0.2, 0.45, 0.35, 0.3, 0.9, -0.2, 0.95, -0.45, 0.5, 0.1,
                            -0.2, 0.4, -0.8))),
            List.of(
                    List.of(curve(
                            0.45, -0.35, 0.05, 0, -0.4, -0.25, -0.45, -0.7, 0, -1, 0.45, -0.75, 0.48, -0.2, 0.35, 0.4,
                            0.1, 1)),
                    List.of(
                            curve(0.4, -0.9, -0.1, -1, -0.45, -0.6, -0.2, -0.15, 0.25, -0.3, 0.4, -0.9),
                            line(0.4, -0.9, 0.35, 1))));

    private Glyphs() {}

    /** Returns the ways of writing {@code digit}, each a list of strokes. */
    static List<List<Stroke>> of(int digit) {
        return WAYS.get(digit);
    }
}
