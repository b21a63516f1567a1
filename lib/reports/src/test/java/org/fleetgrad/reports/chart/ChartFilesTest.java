package org.fleetgrad.reports.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fleetgrad.reports.chart.Chart.Mark;
import org.fleetgrad.reports.chart.Chart.Panel;
import org.fleetgrad.reports.chart.Chart.Point;
import org.fleetgrad.reports.chart.Chart.Series;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartFilesTest {

    @TempDir
    private Path folder;

    private static Chart chart(String title) {
        List<Point> rising = IntStream.rangeClosed(0, 20)
                .mapToObj(i -> new Point(i, 0.5 + i / 50.0))
                .toList();
        List<Point> latencies =
                IntStream.rangeClosed(0, 20).mapToObj(i -> new Point(i, 1 + i)).toList();
        return new Chart(
                title,
                "numbers",
                Axis.linear("seconds"),
                List.of(new Mark(0, "1 client"), new Mark(10, "24 clients")),
                List.of(
                        new Panel(Axis.percent("accuracy"), List.of(new Series("accuracy", rising))),
                        new Panel(
                                Axis.log("latency in ms"),
                                List.of(new Series("p50", latencies), new Series("p99", List.of(new Point(3, 9)))))));
    }

    @Test
    void shouldWriteSvgThatSaysWhatItShows() throws Exception {
        Document svg = parse(ChartFiles.svg(chart("a < b & \"c\"")));

        assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(texts(svg, "title")).containsExactly("a < b & \"c\"");
        assertThat(texts(svg, "text"))
                .contains("seconds", "accuracy", "latency in ms", "p50", "p99", "1 client", "24 clients", "50%", "10");
        assertThat(texts(svg, "style").get(0)).contains("prefers-color-scheme:dark");
    }

    @Test
    void shouldKeepEveryPointWithinThePicture() throws Exception {
        Document svg = parse(ChartFiles.svg(chart("title")));
        double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));

        NodeList lines = svg.getElementsByTagName("polyline");
        // Three series, and a sample of each in a legend.
        assertThat(lines.getLength()).isEqualTo(6);
        for (int i = 0; i < lines.getLength(); i++) {
            for (String point : ((Element) lines.item(i)).getAttribute("points").split(" ")) {
                String[] place = point.split(",");
                assertThat(Double.parseDouble(place[0])).isBetween(0.0, (double) ChartDrawing.WIDTH);
                assertThat(Double.parseDouble(place[1])).isBetween(0.0, height);
            }
        }
    }

    @Test
    void shouldWriteAPngOfTheSameShape() throws Exception {
        assertThat(ChartFiles.write(chart("title"), folder, "both")).isEmpty();

        BufferedImage png = ImageIO.read(folder.resolve("both.png").toFile());
        Document svg = parse(Files.readString(folder.resolve("both.svg")));
        assertThat(png.getWidth()).isEqualTo(2 * ChartDrawing.WIDTH);
        assertThat(png.getHeight())
                .isEqualTo(2 * Integer.parseInt(svg.getDocumentElement().getAttribute("height")));
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < png.getHeight(); y++) {
            for (int x = 0; x < png.getWidth(); x++) {
                colours.add(png.getRGB(x, y) & 0xffffff);
            }
        }
        assertThat(colours).contains(0xffffff, 0x0072b2, 0xc14a00);
    }

    @Test
    void shouldDrawAxesWithoutAnyPoint() throws Exception {
        Chart empty = new Chart(
                "nothing",
                "",
                Axis.linear("seconds"),
                List.of(),
                List.of(new Panel(Axis.log("ms"), List.of(new Series("p50", List.of())))));

        assertThat(texts(parse(ChartFiles.svg(empty)), "text")).contains("nothing", "ms");
        assertThat(ChartFiles.write(empty, folder, "empty")).isEmpty();
    }

    @Test
    void shouldRejectWhatCannotBeDrawn() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Point(0, Double.NaN))
                .withMessageContaining("NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Chart("t", "", Axis.linear("s"), List.of(), List.of()))
                .withMessageContaining("1 panel or more");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> texts(Document svg, String element) {
        NodeList nodes = svg.getElementsByTagName(element);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> nodes.item(i).getTextContent())
                .toList();
    }
}
