package org.fleetgrad.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.load.question.PredictClient.Reply;
import org.fleetgrad.load.question.Questions;
import org.fleetgrad.load.question.Verdict;
import org.fleetgrad.load.result.LoadRecorder;
import org.fleetgrad.load.result.LoadRow;

/** One client: sends one request after the other over its connection. Confined to one thread. */
record LoadClient(
        int number,
        PredictClient predictClient,
        Questions questions,
        boolean givesFeedback,
        LoadRecorder recorder,
        Times times) {

    /** Of the ids that a service gives; nothing else is put into JSON. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]+");

    /** Converts times of the load's clock, which measures, to the time of day. Both are known of the run's beginning. */
    record Times(LoadClock clock, long beginNanos, double beginMs) {
        private double wallMs(long nanos) {
            return beginMs + (nanos - beginNanos) / 1e6;
        }
    }

    /** Sends requests until the schedule of a phase has no more. */
    void work(int phase, ArrivalSchedule schedule) {
        try {
            for (Optional<ArrivalSchedule.Turn> turn = schedule.next(); turn.isPresent(); turn = schedule.next()) {
                ask(phase, schedule, turn.get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(int phase, ArrivalSchedule schedule, ArrivalSchedule.Turn turn) {
        byte[] body = questions.body(turn.number());
        int status = 0;
        long end;
        Verdict verdict;
        try {
            Reply reply = predictClient.send(body);
            // Parsing the response is this program's time, not the server's.
            end = times.clock().nanos();
            status = reply.status();
            verdict = questions.read(turn.number(), reply);
            if (givesFeedback && verdict.failure().isEmpty()) {
                verdict = withFeedback(turn.number(), verdict);
            }
        } catch (IOException failed) {
            end = times.clock().nanos();
            if (schedule.isStopped()) {
                // Cancelled by this program, which is not a failure of the server.
                return;
            }
            verdict = Verdict.failed(reason(failed));
        }
        recorder.add(new LoadRow(
                times.wallMs(turn.dueNanos()),
                phase,
                number,
                Math.max(0, end - turn.dueNanos()) / 1e6,
                status,
                verdict.right(),
                verdict.total(),
                verdict.repeated(),
                verdict.differing(),
                verdict.version(),
                verdict.failure()));
    }

    /** Sends the labels, which is no part of the latency; a refused one is a failed request. */
    private Verdict withFeedback(long number, Verdict verdict) throws IOException {
        if (!ID.matcher(verdict.answer()).matches()) {
            return Verdict.failed("the response has no id for feedback");
        }
        String refusal =
                questions.refusalOfFeedback(predictClient.giveFeedback(questions.feedback(number, verdict.answer())));
        return refusal.isEmpty() ? verdict : Verdict.failed(refusal);
    }

    private static String reason(IOException failed) {
        if (failed instanceof SocketTimeoutException) {
            return "no response in time";
        }
        if (failed instanceof ConnectException) {
            return "no connection: " + Printable.text(String.valueOf(failed.getMessage()));
        }
        if (failed instanceof ConnectionClosedException || failed instanceof NoHttpResponseException) {
            return "the server closed the connection without a response";
        }
        return Printable.text(
                "%s: %s".formatted(failed.getClass().getSimpleName(), String.valueOf(failed.getMessage())));
    }
}
