package org.fleetgrad.inference.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.completion.CompletionReply;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.PredictionOutcome.Refusal;
import org.fleetgrad.serving.completion.CompletionEnd;
import org.fleetgrad.serving.completion.CompletionListener;
import org.fleetgrad.serving.completion.RunningCompletion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a completion as server-sent events, as its parts come. Nothing waits for the client: what it does not take yet is kept,
 * the text of one version as one part, so a slow client gets fewer and longer chunks, and the computation never stops for it. A
 * client that is gone cancels the completion. Thread-safe.
 */
final class CompletionStream implements CompletionListener, WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionStream.class);
    private static final String DONE = "[DONE]";

    private final CompletionReply.Head head;
    private final boolean includeUsage;
    private final Refusals refusals;
    private final RequestRefused late;
    private final JsonMapper json;

    /** The parts that are not sent yet. */
    private final Deque<Part> parts = new ArrayDeque<>();

    /** What follows the parts; empty until the completion is over. */
    private final Deque<String> last = new ArrayDeque<>();

    private @Nullable Connection connection;
    private boolean isWritable;
    private boolean isOver;
    private boolean isFlushed = true;
    private boolean isClosed;

    /** Text of one version. */
    private record Part(ParameterVersion version, StringBuilder text) {}

    /** The open response. */
    private record Connection(AsyncContext context, ServletOutputStream output, RunningCompletion completion) {}

    /**
     * Makes a stream that is not open yet.
     *
     * @param late what it ends with if it takes too long
     */
    CompletionStream(
            CompletionReply.Head head, boolean includeUsage, Refusals refusals, RequestRefused late, JsonMapper json) {
        this.head = head;
        this.includeUsage = includeUsage;
        this.refusals = refusals;
        this.late = late;
        this.json = json;
    }

    /** Begins to send, what came before included. */
    void open(AsyncContext context, RunningCompletion completion) throws IOException {
        context.addListener(this);
        ServletOutputStream output = context.getResponse().getOutputStream();
        synchronized (this) {
            connection = new Connection(context, output, completion);
        }
        // The server calls onWritePossible once this request's thread is done.
        output.setWriteListener(this);
    }

    @Override
    public synchronized void text(String text, ParameterVersion version) {
        Part newest = parts.peekLast();
        if (newest != null && newest.version().equals(version)) {
            newest.text().append(text);
        } else {
            parts.addLast(new Part(version, new StringBuilder(text)));
        }
        send();
    }

    @Override
    public synchronized void end(CompletionEnd end) {
        last.add(json.writeValueAsString(head.end("", end, false)));
        if (includeUsage) {
            last.add(json.writeValueAsString(head.usage(end)));
        }
        last.add(DONE);
        finish();
    }

    @Override
    public void refused(Refusal why) {
        fail(refusals.refused(why));
    }

    @Override
    public void failed(Throwable failure) {
        fail(new RequestRefused(ProblemKind.INTERNAL, "see the log of the service"));
    }

    /** The status is sent already. OpenAI's clients throw what they find in {@code error}. */
    private synchronized void fail(RequestRefused refused) {
        last.add(json.writeValueAsString(Map.of("error", refused.body(CompletionController.PATH))));
        finish();
    }

    private void finish() {
        isOver = true;
        send();
    }

    @Override
    public synchronized void onWritePossible() {
        isWritable = true;
        send();
    }

    /** Sends as much as the client takes without waiting. */
    private void send() {
        Connection to = connection;
        if (to == null || !isWritable || isClosed) {
            return;
        }
        try {
            while (to.output().isReady()) {
                String next = isFlushed ? next() : null;
                if (next != null) {
                    isFlushed = false;
                    to.output().write(("data: " + next + "\n\n").getBytes(StandardCharsets.UTF_8));
                } else if (!isFlushed) {
                    isFlushed = true;
                    to.output().flush();
                } else {
                    if (isOver) {
                        close();
                    }
                    return;
                }
            }
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a client has disconnected", gone);
            close();
        }
    }

    private @Nullable String next() {
        Part part = parts.pollFirst();
        return part == null
                ? last.pollFirst()
                : json.writeValueAsString(head.part(part.text().toString(), part.version()));
    }

    /** Ends the response, and the completion if it still runs. */
    private synchronized void close() {
        Connection open = connection;
        if (open == null || isClosed) {
            return;
        }
        isClosed = true;
        parts.clear();
        open.completion().cancel();
        try {
            open.context().complete();
        } catch (IllegalStateException gone) {
            LOG.debug("a client has disconnected", gone);
        }
    }

    /** A write failed, or took longer than the connection may be idle. */
    @Override
    public void onError(Throwable failure) {
        LOG.debug("a client has disconnected", failure);
        close();
    }

    /** Says so if the client takes it at once; otherwise it has not read for long. */
    @Override
    public void onTimeout(AsyncEvent event) {
        fail(late);
        close();
    }

    @Override
    public void onError(AsyncEvent event) {
        close();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        close();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nothing starts it again.
    }
}
