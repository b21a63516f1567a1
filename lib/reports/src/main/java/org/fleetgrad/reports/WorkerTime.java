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

    private static final WorkerTime NONE = new WorkerTime(0, 0, 0, 0, 0, 0);

    /** Adds the activations up. */
    static WorkerTime of(Report report) {
        WorkerTime sum = report.activations().stream().map(WorkerTime::of).reduce(NONE, WorkerTime::plus);
        double idle = Math.max(0, available(report) - sum.all());
        return new WorkerTime(sum.compute, sum.exchange, sum.data, sum.start, sum.untold, idle);
    }

    /** What a worker answers is taken as far as its activation was long. */
    private static WorkerTime of(ActivationRow row) {
        double all = Math.max(0, row.duration());
        if (!(row.figures().get("compute_seconds") instanceof Number)) {
            return new WorkerTime(0, 0, 0, 0, all, 0);
        }
        double compute = within(row.figures().get("compute_seconds"), all);
        double exchange = within(row.figures().get("exchange_seconds"), all - compute);
        double data = within(row.figures().get("data_seconds"), all - compute - exchange);
        return new WorkerTime(compute, exchange, data, all - compute - exchange - data, 0, 0);
    }

    private WorkerTime plus(WorkerTime other) {
        return new WorkerTime(
                compute + other.compute,
                exchange + other.exchange,
                data + other.data,
                start + other.start,
                untold + other.untold,
                idle + other.idle);
    }

    private double all() {
        return compute + exchange + data + start + untold + idle;
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
        double all = all();
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
