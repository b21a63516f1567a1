package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;

import java.util.List;
import org.fleetgrad.reports.Report.FleetChange;
import org.jspecify.annotations.Nullable;

/**
 * What the time of a run's workers went into, in seconds of one worker: four workers have 40 in ten seconds.
 *
 * @param compute  forward and backward passes
 * @param exchange pushes and pulls, with the wait for the parameter server
 * @param data     fetching and decoding shards
 * @param start    the remaining time of activations that told the parts: containers, programs, networks, first pulls, the last answer
 * @param untold   activations that were killed or failed, and those of workers that measure nothing
 * @param idle     the time between the activations
 */
public record WorkerTime(double compute, double exchange, double data, double start, double untold, double idle) {

    /** Adds the activations up. What a worker answers is taken as far as its activation was long. */
    static WorkerTime of(Report report) {
        double[] parts = new double[5];
        for (ActivationRow row : report.activations()) {
            double left = Math.max(0, row.duration());
            if (!(row.figures().get("compute_seconds") instanceof Number)) {
                parts[4] += left;
                continue;
            }
            List<String> told = List.of("compute_seconds", "exchange_seconds", "data_seconds");
            for (int i = 0; i < told.size(); i++) {
                double part = within(row.figures().get(told.get(i)), left);
                parts[i] += part;
                left -= part;
            }
            parts[3] += left;
        }
        double busy = parts[0] + parts[1] + parts[2] + parts[3] + parts[4];
        return new WorkerTime(parts[0], parts[1], parts[2], parts[3], parts[4], Math.max(0, available(report) - busy));
    }

    private static double within(@Nullable Object seconds, double most) {
        double stated = seconds instanceof Number number ? number.doubleValue() : 0;
        return stated > 0 ? Math.min(stated, most) : 0;
    }

    /** Returns the seconds of all workers that the run wanted, until its end. */
    private static double available(Report report) {
        double end = report.result().seconds();
        List<FleetChange> fleet = report.fleet();
        if (fleet == null) {
            return report.result().workers() * end;
        }
        double sum = 0;
        for (int i = 0; i < fleet.size(); i++) {
            double until = i + 1 < fleet.size() ? fleet.get(i + 1).seconds() : end;
            sum += fleet.get(i).workers() * Math.max(0, until - fleet.get(i).seconds());
        }
        return sum;
    }

    /** Writes the parts as rows, with their shares. */
    String table() {
        double all = compute + exchange + data + start + untold + idle;
        if (all == 0) {
            return "";
        }
        return "<table><tr><th>part</th><th>seconds of a worker</th><th>share</th></tr>"
                + row("forward and backward", compute, all)
                + row("exchange with the parameter server", exchange, all)
                + row("fetching shards", data, all)
                + row("starts and ends of activations", start, all)
                + (untold > 0 ? row("killed, failed or not measured", untold, all) : "")
                + row("idle", idle, all)
                + "</table>";
    }

    private static String row(String part, double seconds, double all) {
        return format("<tr><th>%s</th><td>%,.1f</td><td>%.0f%%</td></tr>", part, seconds, 100 * seconds / all);
    }
}
