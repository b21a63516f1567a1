package org.fleetgrad.cli.load;

import java.util.Locale;
import java.util.function.Consumer;
import org.fleetgrad.cli.display.Terminal;
import org.fleetgrad.load.LoadRun;
import org.fleetgrad.load.LoadSettings;
import org.fleetgrad.load.result.LoadFigures;

/** Shows the progress of a load. */
record LoadProgress(LoadSettings settings, Terminal terminal) implements Consumer<LoadRun> {

    private static final int BAR = 24;

    @Override
    public void accept(LoadRun run) {
        terminal.live(line(run.phase(), run.recorder().phase(run.phase())));
    }

    String line(int phase, LoadFigures figures) {
        int done = (int) (BAR * figures.requests() / settings.requests());
        return String.format(
                Locale.ROOT,
                "%s[%s%s] %,d of %,d requests  %d clients  %,.0f/s  p50 %.1f ms  p99 %.1f ms  accuracy %s  %,d failed",
                settings.clients().size() == 1
                        ? ""
                        : "phase %d of %d  "
                                .formatted(phase + 1, settings.clients().size()),
                "=".repeat(done),
                " ".repeat(BAR - done),
                figures.requests(),
                settings.requests(),
                settings.clients().get(phase),
                figures.perSecond(),
                figures.p50Ms(),
                figures.p99Ms(),
                figures.accuracy().isPresent()
                        ? String.format(
                                Locale.ROOT, "%.1f%%", 100 * figures.accuracy().getAsDouble())
                        : "-",
                figures.failed());
    }
}
