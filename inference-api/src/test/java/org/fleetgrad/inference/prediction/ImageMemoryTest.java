package org.fleetgrad.inference.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.fleetgrad.serving.ImageShape;
import org.junit.jupiter.api.Test;

/** Decodes the largest allowed files in a heap that could not hold any of them decoded. */
class ImageMemoryTest {

    /** A file's pixels take 20 MiB and more when they are all decoded; the JVM itself takes a few. */
    private static final String HEAP = "-Xmx24m";

    private static final int MAX_PIXELS = 1 << 20;
    private static final int SIZE = 28;

    /** The program with that small heap. */
    static final class Program {

        private Program() {}

        public static void main(String... none) throws IOException {
            ImageFile files = new ImageFile(new ImageShape(1, SIZE, SIZE), MAX_PIXELS, new Semaphore(2));
            byte[] square = png(1024, 1024);
            byte[] column = png(128, 8192);
            byte[] line = png(8192, 128);
            IntStream.range(0, 6).parallel().forEach(i -> {
                files.read(square, "image/png", false);
                files.read(column, "image/png", true);
                files.read(line, "image/png", false);
            });
            System.out.println("decoded");
        }

        /** White pixels, a few kilobytes for a megapixel. */
        private static byte[] png(int width, int height) throws IOException {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB), "png", file);
            return file.toByteArray();
        }
    }

    @Test
    void shouldDecodeALargeFileInLittleMemory() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.awt.headless=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).as(printed).isZero();
        assertThat(printed.strip()).isEqualTo("decoded");
    }
}
