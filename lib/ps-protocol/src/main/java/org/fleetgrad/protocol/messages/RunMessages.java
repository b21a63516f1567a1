package org.fleetgrad.protocol.messages;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages about a run as a whole: its state, its course and its accuracy. The {@code code} of a reply is its HTTP
 * status.
 */
public final class RunMessages {

    private RunMessages() {}

    /**
     * The state of a run, for a person or a dashboard.
     *
     * @param generation      history of the parameter set
     * @param version         steps applied
     * @param initialized     whether there is a parameter set
     * @param tensors         number of tensors
     * @param parameters      number of values
     * @param mode            {@code async}, {@code sync}, {@code backup} or {@code ssp}
     * @param synchronous     whether a step uses gradients on the newest version only
     * @param optimizer       optimizer and its settings, in one line
     * @param staleness       staleness rule and its settings, in one line
     * @param durability      {@code none}, {@code checkpoint} or {@code journal}
     * @param learningRate    learning rate of the next step
     * @param samples         training samples in applied gradients
     * @param loss            exponentially smoothed training loss
     * @param accuracy        newest held-out accuracy; absent where numbers or labels are predicted
     * @param accuracyTop5    newest held-out share of labels among the five most probable classes, if it was reported
     * @param heldOutLoss     mean loss over the held-out samples, if it was reported
     * @param text            what the evaluation says of a text only
     * @param regression      what the evaluation says of predicted numbers only
     * @param binary          what the evaluation says of the two classes of a table only
     * @param labels          what the evaluation says of several labels only
     * @param accuracyVersion version that the evaluation belongs to
     * @param worstStaleness  largest staleness of an applied gradient
     * @param meanStaleness   mean staleness of the applied gradients
     * @param buffered        gradients waiting for their step
     * @param pushes          pushes by outcome
     * @param uptimeMs        milliseconds since the server began
     * @param workers         the registered workers
     * @param work            progress of the work; absent if the run has none
     * @param writeFailure    why the newest write to the server's disk failed; absent if it succeeded
     */
    public record StatusReply(
            int code,
            String generation,
            long version,
            boolean initialized,
            int tensors,
            long parameters,
            String mode,
            boolean synchronous,
            String optimizer,
            String staleness,
            String durability,
            double learningRate,
            long samples,
            @Nullable Double loss,
            @Nullable Double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double heldOutLoss,
            @Nullable TextFigures text,
            @Nullable RegressionFigures regression,
            @Nullable BinaryFigures binary,
            @Nullable LabelFigures labels,
            @Nullable Long accuracyVersion,
            long worstStaleness,
            double meanStaleness,
            int buffered,
            Map<String, Long> pushes,
            long uptimeMs,
            List<Worker> workers,
            @Nullable Work work,
            @Nullable String writeFailure) {

        /** Returns exp(heldOutLoss) of a text, the number of tokens that the network hesitates between; null for other samples. */
        public @Nullable Double perplexity() {
            return text == null || heldOutLoss == null ? null : (Double) Math.exp(heldOutLoss);
        }

        /** Returns the held-out loss of a text in bits a character; null for other samples, and if the characters are not known. */
        public @Nullable Double bitsPerCharacter() {
            return text == null ? null : text.bitsPerCharacter();
        }

        /**
         * Progress of the work.
         *
         * @param dataset        name of the dataset
         * @param epochs         passes over it; 0 for no end
         * @param shards         shards of an epoch
         * @param epochSamples   samples of an epoch
         * @param samples        samples that are done, over all epochs; those of added shards are not among them
         * @param shardsDone     shards that are done, over all epochs
         * @param shardsLeased   shards that workers have now
         * @param done           whether all of it is done
         * @param added          the shards that were added to it; absent if there are none
         */
        public record Work(
                String dataset,
                long epochs,
                int shards,
                long epochSamples,
                long samples,
                long shardsDone,
                int shardsLeased,
                boolean done,
                @Nullable AddedWork added) {

            /** Makes the progress of work to which nothing was added. */
            public Work(
                    String dataset,
                    long epochs,
                    int shards,
                    long epochSamples,
                    long samples,
                    long shardsDone,
                    int shardsLeased,
                    boolean done) {
                this(dataset, epochs, shards, epochSamples, samples, shardsDone, shardsLeased, done, null);
            }
        }

        /**
         * Progress of the shards that were added to the work, each of which is trained on once.
         *
         * @param last       the largest number of one
         * @param samples    samples of them that are done
         * @param shardsDone those that are done
         * @param shardsLeft those that are not
         */
        public record AddedWork(long last, long samples, long shardsDone, int shardsLeft) {}

        /**
         * One registered worker.
         *
         * @param id          its id
         * @param description what it is
         * @param device      what it computes on
         * @param applied     its gradients that were applied
         * @param sequence    sequence number of its newest push, 0 before the first
         * @param leaseMs     milliseconds until its lease expires
         * @param deadlineMs  milliseconds until it expects to be gone, below 0 after that; absent if it stated none
         * @param shard       shard that it holds; absent if it holds none
         * @param address     where it serves predictions while it trains; absent if it does not
         */
        public record Worker(
                String id,
                String description,
                String device,
                long applied,
                long sequence,
                long leaseMs,
                @Nullable Long deadlineMs,
                @Nullable Shard shard,
                @Nullable String address) {}

        /**
         * The shard that a worker holds.
         *
         * @param epoch   pass over the dataset, from 0
         * @param shard   its index in the dataset, from 0
         * @param done    its samples that are done
         * @param samples its samples
         */
        public record Shard(long epoch, int shard, long done, long samples) {}
    }

    /**
     * Held-out curves of earlier runs, which the dashboard shows beside this one.
     *
     * @param runs the newest first
     */
    public record EarlierRunsReply(int code, List<EarlierRun> runs) {

        /** Most runs. */
        public static final int MOST_RUNS = 8;

        /** Most points of each. */
        public static final int MOST_POINTS = 500;

        /** Copies the list, which has no null. */
        public EarlierRunsReply {
            runs = List.copyOf(runs);
        }

        /**
         * An earlier run.
         *
         * @param name   what people call it
         * @param points in the order of their versions
         */
        public record EarlierRun(String name, List<EarlierPoint> points) {

            /** Copies the list, which has no null. */
            public EarlierRun {
                Objects.requireNonNull(name, "name");
                points = List.copyOf(points);
            }
        }

        /**
         * An evaluation of it.
         *
         * @param seconds  of training until then
         * @param version  the evaluated version
         * @param accuracy if it was measured
         * @param loss     mean held-out loss, if it was measured
         */
        public record EarlierPoint(
                double seconds,
                long version,
                @Nullable Double accuracy,
                @Nullable Double loss) {}
    }

    /**
     * The course of a run: at most 2,048 points and as many evaluations, in chronological order. In a longer run they
     * are farther apart.
     *
     * @param generation  history of the newest point
     * @param nowMs       the server's time, in milliseconds since 1970, for a reader whose clock differs
     * @param points      the figures
     * @param evaluations the held-out results
     * @param checkpoints the newest checkpoints, at most 64
     * @param rollbacks   the newest rollbacks, at most 64; none from a server that does not mark them
     */
    public record HistoryReply(
            int code,
            String generation,
            long nowMs,
            List<Point> points,
            List<Evaluation> evaluations,
            List<Checkpoint> checkpoints,
            @Nullable List<Rollback> rollbacks) {

        /**
         * The figures at one moment, and since the point before it.
         *
         * @param timeMs           milliseconds since 1970
         * @param version          steps applied
         * @param samples          training samples in applied gradients
         * @param loss             exponentially smoothed training loss; absent before the first step
         * @param samplesPerSecond training samples a second since the point before; absent for the first point
         *     after a start
         * @param staleness        mean staleness in steps of the gradients since the point before; absent if none
         * @param workers          registered workers
         * @param pushes           pushes by outcome, since the run began
         */
        public record Point(
                long timeMs,
                long version,
                long samples,
                @Nullable Double loss,
                @Nullable Double samplesPerSecond,
                @Nullable Double staleness,
                int workers,
                Map<String, Long> pushes) {}

        /**
         * A held-out result.
         *
         * @param timeMs       when it was reported, in milliseconds since 1970
         * @param version      the evaluated version
         * @param accuracy     share of held-out samples classified correctly; absent where numbers or labels are predicted
         * @param accuracyTop5 share of labels among the five most probable classes, if it was reported
         * @param loss         mean loss, if it was reported
         */
        public record Evaluation(
                long timeMs,
                long version,
                @Nullable Double accuracy,
                @Nullable Double accuracyTop5,
                @Nullable Double loss) {}

        /**
         * A checkpoint.
         *
         * @param timeMs  when it was taken, in milliseconds since 1970
         * @param number  its number
         * @param version the version in it
         */
        public record Checkpoint(long timeMs, long number, long version) {}

        /**
         * A rollback.
         *
         * @param timeMs  when the run went back, in milliseconds since 1970
         * @param from    the version that it had reached
         * @param version the version from which it continued
         */
        public record Rollback(long timeMs, long from, long version) {}
    }

    /**
     * The newest evaluation.
     *
     * @param accuracy   share of held-out samples classified correctly; absent before the first evaluation, and where numbers
     *     or labels are predicted
     * @param accuracyTop5 share of these samples whose label was among the five most probable classes, if reported
     * @param loss       mean loss over these samples
     * @param text       what the evaluation says of a text only
     * @param regression what the evaluation says of predicted numbers only
     * @param binary     what the evaluation says of the two classes of a table only
     * @param labels     what the evaluation says of several labels only
     * @param version    the evaluated version
     * @param samples    number of held-out samples
     * @param generation history of the version
     * @param best       best accuracy of this generation so far; of a text, of predicted numbers and of labels, the smallest loss
     * @param parametersWanted whether the server asks for the parameters of the version whose evaluation was reported, because none
     *     that it keeps is better; absent if none was reported
     */
    public record AccuracyReply(
            int code,
            @Nullable Double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double loss,
            @Nullable TextFigures text,
            @Nullable RegressionFigures regression,
            @Nullable BinaryFigures binary,
            @Nullable LabelFigures labels,
            @Nullable Long version,
            @Nullable Long samples,
            String generation,
            @Nullable Double best,
            @Nullable Boolean parametersWanted) {}

    /**
     * Answers the parameters of a version that was evaluated.
     *
     * @param generation history of the version
     * @param version    the version
     * @param kept       whether it is now the best version of the run, on the disk; otherwise a better one came meanwhile
     */
    public record PutBestReply(int code, String generation, long version, boolean kept) {}

    /**
     * Reports an evaluation.
     *
     * @param generation history of the evaluated version
     * @param version    the evaluated version
     * @param accuracy   share of held-out samples classified correctly, 0 to 1; absent where numbers or labels are predicted
     * @param accuracyTop5 share of these samples whose label was among the five most probable classes, if known
     * @param loss       mean loss over these samples, if known; a text, predicted numbers and labels need it
     * @param text       what the evaluation says of a text only; absent for other samples
     * @param regression what the evaluation says of predicted numbers only; absent for other questions
     * @param binary     what the evaluation says of the two classes of a table only
     * @param labels     what the evaluation says of several labels only
     * @param samples    number of held-out samples
     */
    public record PutAccuracyRequest(
            @Nullable String generation,
            @Nullable Long version,
            @Nullable Double accuracy,
            @Nullable Double accuracyTop5,
            @Nullable Double loss,
            @Nullable TextFigures text,
            @Nullable RegressionFigures regression,
            @Nullable BinaryFigures binary,
            @Nullable LabelFigures labels,
            @Nullable Long samples) {}
}
