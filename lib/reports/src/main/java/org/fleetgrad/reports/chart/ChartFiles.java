package org.fleetgrad.reports.chart;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.imageio.ImageIO;

/** Writes charts into files. */
public final class ChartFiles {

    private ChartFiles() {}

    /** Returns the chart as a complete SVG file. */
    public static String svg(Chart chart) {
        return SvgSurface.of(chart);
    }

    /**
     * Writes {@code name.svg} and {@code name.png}.
     *
     * @return why there is no PNG, if there is none: a system without any font cannot draw text
     */
    public static Optional<String> write(Chart chart, Path folder, String name) throws IOException {
        Files.writeString(folder.resolve(name + ".svg"), SvgSurface.of(chart));
        // No window is opened; without this, the toolkit fails if the display is unavailable.
        System.setProperty("java.awt.headless", "true");
        BufferedImage image;
        try {
            image = RasterSurface.of(chart);
        } catch (InternalError | RuntimeException | UnsatisfiedLinkError | NoClassDefFoundError fontless) {
            return Optional.of("%s.png is left out, because Java finds no font on this system (install fontconfig and"
                            .formatted(name)
                    + " a font such as DejaVu): " + fontless);
        }
        Path file = folder.resolve(name + ".png");
        if (!ImageIO.write(image, "png", file.toFile())) {
            throw new IOException("no writer of PNG for " + file);
        }
        return Optional.empty();
    }
}
