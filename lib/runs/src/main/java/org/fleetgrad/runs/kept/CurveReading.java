package org.fleetgrad.runs.kept;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.reports.chart.Chart.Point;

/** Reads curves from {@code curves.csv}, in a bounded number of points. A row that is not whole is left out. */
final class CurveReading {

    private static final long MOST_BYTES = 256L << 20;
    private static final int MOST_POINTS = 2000;

    private CurveReading() {}

    /** Returns the bytes of the file that {@link #read} would read; 0 if it would read none. */
    static long size(Path folder, String file) throws IOException {
        Path table = folder.resolve(file);
        long size = Files.isRegularFile(table, LinkOption.NOFOLLOW_LINKS) ? Files.size(table) : 0;
        return size > MOST_BYTES ? 0 : size;
    }

    /**
     * Returns a curve for each name; one that the file lacks is empty.
     *
     * @param x      column of the horizontal axis
     * @param curves columns
     */
    static Map<String, List<Point>> read(Path folder, String file, String x, List<String> curves) throws IOException {
        Map<String, List<Point>> read = new LinkedHashMap<>();
        curves.forEach(curve -> read.put(curve, new ArrayList<>()));
        Path table = folder.resolve(file);
        if (size(folder, file) == 0) {
            return read;
        }
        try (BufferedReader rows = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
            String head = rows.readLine();
            if (head == null) {
                return read;
            }
            List<String> names = List.of(head.split(",", -1));
            int at = names.indexOf(x);
            for (String row = rows.readLine(); row != null && at >= 0; row = rows.readLine()) {
                add(row.split(",", -1), names, at, read);
            }
        } catch (CharacterCodingException damaged) {
            return read;
        }
        read.replaceAll((name, points) -> thinned(points));
        return read;
    }

    private static void add(String[] cells, List<String> names, int at, Map<String, List<Point>> read) {
        if (cells.length != names.size()) {
            return;
        }
        double x = number(cells[at]);
        for (Map.Entry<String, List<Point>> curve : read.entrySet()) {
            int column = names.indexOf(curve.getKey());
            double y = column < 0 ? Double.NaN : number(cells[column]);
            if (Double.isFinite(x) && Double.isFinite(y)) {
                // A run that went back to an earlier checkpoint trained its later part again.
                List<Point> points = curve.getValue();
                while (!points.isEmpty() && points.get(points.size() - 1).x() >= x) {
                    points.remove(points.size() - 1);
                }
                points.add(new Point(x, y));
            }
        }
    }

    private static double number(String cell) {
        try {
            return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
        } catch (NumberFormatException damaged) {
            return Double.NaN;
        }
    }

    private static List<Point> thinned(List<Point> points) {
        int every = Math.max(1, (points.size() + MOST_POINTS - 1) / MOST_POINTS);
        List<Point> thinned = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            if (i % every == 0 || i == points.size() - 1) {
                thinned.add(points.get(i));
            }
        }
        return thinned;
    }
}
