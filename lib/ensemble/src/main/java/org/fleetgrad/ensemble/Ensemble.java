package org.fleetgrad.ensemble;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

    /** Joins the responses; empty if there is none. Members of another network than the majority are left out. */
    Optional<EnsembleReply> join(Poll poll) {
        if (poll.ballots().isEmpty()) {
            return Optional.empty();
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
        return Optional.of(reply(network, counted, leftOut));
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
        List<EnsembleReply.Image> images = IntStream.range(
                        0, counted.get(0).images().size())
                .mapToObj(i -> vote.of(
                        counted.stream().map(ballot -> ballot.images().get(i)).toList()))
                .map(outcome -> new EnsembleReply.Image(
                        outcome.label(), outcome.index(), outcome.probabilities(), outcome.disagreed()))
                .toList();
        Ballot oldest = counted.stream().min(OLDEST).orElseThrow();
        Optional<Ballot> evaluated = counted.stream()
                .filter(ballot -> ballot.accuracyVersion().isPresent())
                .max(Comparator.comparingLong(ballot -> ballot.accuracyVersion().orElse(0L)));
        return new EnsembleReply(
                200,
                images,
                oldest.version(),
                oldest.generation(),
                counted.stream().mapToLong(Ballot::version).max().orElseThrow(),
                evaluated.flatMap(Ballot::accuracy).orElse(null),
                evaluated.flatMap(Ballot::accuracyVersion).orElse(null),
                network,
                vote.name().toLowerCase(Locale.ROOT),
                (int) images.stream().filter(image -> image.disagreed() > 0).count(),
                each(
                        counted,
                        ballot -> new EnsembleReply.Voter(
                                ballot.member().worker(),
                                ballot.member().address().toString(),
                                ballot.version(),
                                ballot.generation())),
                each(leftOut, EnsembleReply.Absent::of));
    }

    private static <A, B> List<B> each(List<A> list, Function<A, B> change) {
        return list.stream().map(change).toList();
    }
}
