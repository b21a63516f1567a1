package org.fleetgrad.reports.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.List;
import org.fleetgrad.reports.chart.Chart.Point;

/** Draws pixels, dark on white, at twice the size for sharp screens. Needs a font of the system, but no screen. */
final class RasterSurface implements Surface {

    private static final int ZOOM = 2;
    private static final Color INK = Color.decode("#1f2933");
    private static final Color FAINT = Color.decode("#52606d");
    private static final Color GRID = Color.decode("#dfe4ea");
    private static final Color MARK = Color.decode("#7b8794");
    private static final BasicStroke DASHED =
            new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {4, 3}, 0);

    private final Graphics2D graphics;

    private RasterSurface(Graphics2D graphics) {
        this.graphics = graphics;
    }

    static BufferedImage of(Chart chart) {
        ChartDrawing drawing = new ChartDrawing(chart);
        BufferedImage image =
                new BufferedImage(ChartDrawing.WIDTH * ZOOM, drawing.height() * ZOOM, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
            graphics.scale(ZOOM, ZOOM);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            drawing.on(new RasterSurface(graphics));
        } finally {
            graphics.dispose();
        }
        return image;
    }

    @Override
    public void line(LineKind kind, double x1, double y1, double x2, double y2) {
        graphics.setColor(
                switch (kind) {
                    case GRID -> GRID;
                    case AXIS -> FAINT;
                    case MARK -> MARK;
                });
        graphics.setStroke(kind == LineKind.MARK ? DASHED : new BasicStroke(1));
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void series(Tone tone, List<Point> points) {
        graphics.setColor(Color.decode(tone.light()));
        graphics.setStroke(stroke(tone.dashes()));
        Path2D.Double path = new Path2D.Double();
        path.moveTo(points.get(0).x(), points.get(0).y());
        points.forEach(point -> path.lineTo(point.x(), point.y()));
        graphics.draw(path);
    }

    private static BasicStroke stroke(String dashes) {
        if (dashes.isEmpty()) {
            return new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
        }
        String[] texts = dashes.split(" ");
        float[] lengths = new float[texts.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = Float.parseFloat(texts[i]);
        }
        return new BasicStroke(2, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, lengths, 0);
    }

    @Override
    public void text(TextKind kind, Anchor anchor, double x, double y, String text) {
        graphics.setColor(kind == TextKind.TITLE ? INK : FAINT);
        graphics.setFont(
                switch (kind) {
                    case TITLE -> new Font(Font.SANS_SERIF, Font.BOLD, 17);
                    case SUBTITLE -> new Font(Font.SANS_SERIF, Font.PLAIN, 13);
                    case LABEL -> new Font(Font.SANS_SERIF, Font.PLAIN, 12);
                });
        double width = graphics.getFontMetrics().stringWidth(text);
        double shift = switch (anchor) {
            case START -> 0;
            case MIDDLE -> width / 2;
            case END -> width;
        };
        graphics.drawString(text, (float) (x - shift), (float) y);
    }

    @Override
    public void uprightText(double x, double y, String text) {
        AffineTransform before = graphics.getTransform();
        graphics.translate(x, y);
        graphics.rotate(-Math.PI / 2);
        text(TextKind.LABEL, Anchor.MIDDLE, 0, 0, text);
        graphics.setTransform(before);
    }
}
