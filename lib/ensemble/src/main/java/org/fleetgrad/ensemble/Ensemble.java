package org.fleetgrad.ensemble;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.ensemble.Poll.Ballot;
import org.fleetgrad.ensemble.Poll.LeftOut;

/** Joins the members' responses into one. */
final class Ensemble {

    private static final Comparator<Ballot> OLDEST = Comparator.comparingLong(Ballot::version);

    private final Vote vote;

    Ensemble(Vote vote) {
        this.vote = vote;
    }

    /** Joins the responses. Members of another network than the majority are left out. */
    Joined join(Poll poll) {
        if (poll.ballots().isEmpty()) {
            return new Joined.Nobody();
        }
        Map<String, List<String>> workers = poll.ballots().stream()
                .collect(Collectors.groupingBy(
                        Ballot::kind,
                        TreeMap::new,
                        Collectors.mapping(ballot -> ballot.member().worker(), Collectors.toList())));
        if (workers.size() > 1) {
            return new Joined.Mixed(workers.entrySet().stream()
                    .map(kind -> "%s: %s".formatted(kind.getKey(), String.join(", ", kind.getValue())))
                    .collect(Collectors.joining("; ", "the workers predict different things: ", "")));
        }
        String network = networkOfMost(poll.ballots());
        List<Ballot> counted = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>(poll.leftOut());
        for (Ballot ballot : poll.ballots()) {
            if (ballot.network().equals(network)) {
                counted.add(ballot);
            } else {
                leftOut.add(new LeftOut(
                        ballot.member(), "trains the network %s, not %s".formatted(ballot.network(), network)));
            }
        }
        return new Joined.Answered(reply(network, counted, leftOut));
    }

    /** The network of most members; if two have equally many, that of the newest version. */
    private static String networkOfMost(List<Ballot> ballots) {
        Map<String, Long> members =
                ballots.stream().collect(Collectors.groupingBy(Ballot::network, Collectors.counting()));
        return ballots.stream()
                .max(Comparator.<Ballot>comparingLong(ballot -> members.getOrDefault(ballot.network(), 0L))
                        .thenComparing(OLDEST))
                .map(Ballot::network)
                .orElseThrow();
    }

    private EnsembleReply reply(String network, List<Ballot> counted, List<LeftOut> leftOut) {
        List<EnsembleReply.Prediction> predictions = IntStream.range(
                        0, counted.get(0).answers().size())
                .mapToObj(i -> prediction(
                        counted.stream().map(ballot -> ballot.answers().get(i)).toList()))
                .toList();
        boolean areNumbers = predictions.get(0) instanceof EnsembleReply.Amount;
        boolean areClasses = predictions.get(0) instanceof EnsembleReply.Image;
        Ballot oldest = counted.stream().min(OLDEST).orElseThrow();
        Optional<Ballot> evaluated = counted.stream()
                .filter(ballot -> ballot.accuracyVersion().isPresent())
                .max(Comparator.comparingLong(ballot -> ballot.accuracyVersion().orElse(0L)));
        return new EnsembleReply(
                200,
                predictions,
                oldest.unknown().orElse(null),
                oldest.version(),
                oldest.generation(),
                counted.stream().mapToLong(Ballot::version).max().orElseThrow(),
                evaluated.flatMap(Ballot::accuracy).orElse(null),
                evaluated.flatMap(Ballot::accuracyVersion).orElse(null),
                network,
                (areClasses ? vote : Vote.MEAN).name().toLowerCase(Locale.ROOT),
                areNumbers ? null : (Integer) disagreed(predictions),
                each(
                        counted,
                        ballot -> new EnsembleReply.Voter(
                                ballot.member().worker(),
                                ballot.member().address().toString(),
                                ballot.version(),
                                ballot.generation())),
                each(leftOut, EnsembleReply.Absent::of));
    }

    private EnsembleReply.Prediction prediction(List<Ballot.Answer> answers) {
        if (answers.get(0) instanceof Ballot.Amount) {
            return Spread.of(answers.stream().map(Ballot.Amount.class::cast).toList());
        }
        if (answers.get(0) instanceof Ballot.Labels) {
            return LabelMeans.of(answers.stream().map(Ballot.Labels.class::cast).toList());
        }
        Vote.Outcome outcome =
                vote.of(answers.stream().map(Ballot.Choice.class::cast).toList());
        return new EnsembleReply.Image(outcome.label(), outcome.index(), outcome.probabilities(), outcome.disagreed());
    }

    private static int disagreed(List<EnsembleReply.Prediction> predictions) {
        return (int) predictions.stream()
                .filter(one -> (one instanceof EnsembleReply.Image image && image.disagreed() > 0)
                        || (one instanceof EnsembleReply.Labels labels && labels.disagreed() > 0))
                .count();
    }

    private static <A, B> List<B> each(List<A> list, Function<A, B> change) {
        return list.stream().map(change).toList();
    }
}
