package org.fleetgrad.runs;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.RunOutput;
import tools.jackson.databind.JsonNode;

/**
 * Shows every few seconds how the newest version of a language model continues a prompt, one line a version. All versions draw with
 * the same seed, so that the lines differ by what the model has learned.
 */
final class LiveContinuation implements Conversation {

    private static final long SECONDS = 5;
    private static final long LOOK_SECONDS = 1;
    private static final int LINE = 72;
    private static final int LAST = 350;
    /** Colder, a model that knows little repeats itself; hotter, one that knows much makes mistakes. */
    private static final double TEMPERATURE = 0.7;

    private final InferenceClient client;
    private final Prompt prompt;
    private final long seed;
    private final RunOutput output;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(LiveContinuation::thread);
    private long shown = -1;
    private String shownGeneration = "";
    private long shownNanos;

    private LiveContinuation(InferenceClient client, Prompt prompt, long seed, RunOutput output) {
        this.client = client;
        this.prompt = prompt;
        this.seed = seed;
        this.output = output;
    }

    /** Begins to ask, now and every few seconds. */
    static LiveContinuation begin(InferenceClient client, Prompt prompt, long seed, RunOutput output) {
        LiveContinuation continuation = new LiveContinuation(client, prompt, seed, output);
        output.tell("every %d s, the newest version continues \"%s\"; the loss is that of the newest evaluation:"
                .formatted(SECONDS, line(prompt.text())));
        ScheduledFuture<?> unused =
                continuation.timer.scheduleWithFixedDelay(continuation::look, 0, LOOK_SECONDS, TimeUnit.SECONDS);
        return continuation;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "continuation");
        thread.setDaemon(true);
        return thread;
    }

    /** Shows the first version at once, and the newest one every few seconds. A service that does not answer yet is asked again later. */
    private void look() {
        try {
            if (shown < 0 || System.nanoTime() - shownNanos >= TimeUnit.SECONDS.toNanos(SECONDS)) {
                showNewest();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException unanswered) {
            // The run itself reports a service that is away.
        }
    }

    /** Shows the newest version unless it was shown. */
    private void showNewest() throws IOException, InterruptedException {
        JsonNode status = client.get("/status");
        String generation = status.path("generation").asString("");
        if (generation.equals(shownGeneration) && status.path("version").asLong(-1) <= shown) {
            return;
        }
        JsonNode reply = complete(LINE);
        shown = reply.path("version").asLong();
        shownGeneration = reply.path("generation").asString(generation);
        shownNanos = System.nanoTime();
        output.tell(String.format(
                Locale.ROOT, "  version %,7d  %s  %s", shown, loss(status), shortened(prompt.text() + text(reply))));
    }

    private static String loss(JsonNode status) {
        JsonNode loss = status.path("evaluation").path("loss");
        return loss.isNumber()
                ? String.format(Locale.ROOT, "held-out loss %.3f", loss.asDouble())
                : "held-out loss -    ";
    }

    /** A line has as many characters for every tokenizer. */
    private String shortened(String text) {
        String line = line(text);
        int most = line(prompt.text()).length() + LINE;
        return line.length() > most ? line.substring(0, most) : line;
    }

    private static String line(String text) {
        return Printable.text(text.replaceAll("\\s+", " "));
    }

    private JsonNode complete(int tokens) throws IOException, InterruptedException {
        return client.post(
                "/v1/completions",
                Map.of("prompt", prompt.text(), "max_tokens", tokens, "temperature", TEMPERATURE, "seed", seed));
    }

    private static String text(JsonNode reply) {
        return reply.path("choices").path(0).path("text").asString("");
    }

    @Override
    public void end() throws IOException, InterruptedException {
        close();
        JsonNode reply = complete(LAST);
        output.tell("");
        output.tell(String.format(
                Locale.ROOT, "version %,d continues:", reply.path("version").asLong()));
        (prompt.text() + text(reply)).lines().forEach(line -> output.tell("  " + Printable.text(line)));
        output.tell("");
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
