package org.fleetgrad.ps.web.control;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.events.RunEvents.Watcher;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** {@code GET /events}: server-sent events; a client that reconnects with Last-Event-ID gets what it missed. */
@RestController
record EventsController(RunEvents events) {

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    @GetMapping(path = Routes.EVENTS, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter watch(@RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId) {
        Watcher watcher = events.watch(lastSeen(lastEventId))
                .orElseThrow(() -> new RequestRefused(
                        ProblemKind.BUSY,
                        "too many clients watch already, or the server is stopping",
                        Map.of(),
                        Map.of("Retry-After", "5")));
        SseEmitter emitter = new SseEmitter(0L);
        // A thread for each watcher: a slow watcher delays no other.
        Thread sender = new Thread(() -> send(watcher, emitter), "events");
        sender.setDaemon(true);
        emitter.onCompletion(sender::interrupt);
        emitter.onError(gone -> sender.interrupt());
        sender.start();
        return emitter;
    }

    private static void send(Watcher watcher, SseEmitter emitter) {
        try (watcher) {
            // Tells the client that the stream is open, before anything happens in the run.
            emitter.send(SseEmitter.event().comment("watching"));
            while (!watcher.isOver()) {
                Optional<RunEvents.Event> next = watcher.next(HEARTBEAT);
                if (next.isPresent()) {
                    RunEvents.Event event = next.get();
                    emitter.send(SseEmitter.event()
                            .id(Long.toString(event.id()))
                            .name(event.type())
                            .data(event.data(), MediaType.APPLICATION_JSON));
                } else {
                    emitter.send(SseEmitter.event().comment("alive"));
                }
            }
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            emitter.completeWithError(gone);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static long lastSeen(@Nullable String lastEventId) {
        if (lastEventId == null || !lastEventId.matches("\\d{1,18}")) {
            return 0;
        }
        return Long.parseLong(lastEventId);
    }
}
