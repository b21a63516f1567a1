package org.fleetgrad.ps.web.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.run.AddOutcome;
import org.fleetgrad.ps.run.Assignments.ShardOutcome;
import org.fleetgrad.ps.run.Assignments.WorkOutcome;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.run.Lifecycle.RollbackOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every outcome is a success or a problem, and every problem is one that the contract knows. */
class OutcomeProblemsTest {

    private static final String CONTRACT = contract();

    /** The outcomes that have their own success response. */
    private static final Set<Class<?>> SUCCESSES = Set.of(
            SubmissionResult.Done.class,
            PushOutcome.Applied.class,
            PushOutcome.Buffered.class,
            PushOutcome.Duplicate.class,
            // The outcomes of staging and settling are successes, whatever they are.
            PushOutcome.Staged.class,
            PushOutcome.Dropped.class,
            PushOutcome.Undecided.class,
            PutOutcome.Accepted.class,
            RollbackOutcome.RolledBack.class,
            WorkOutcome.Accepted.class,
            AddOutcome.Added.class,
            ShardOutcome.Leased.class,
            ShardOutcome.Wait.class,
            ShardOutcome.Done.class,
            ShardOutcome.Returned.class);

    /** The answer itself, and every sealed outcome type of a submission to the applier. */
    private static Stream<Class<?>> outcomes() {
        Set<Class<?>> families = new LinkedHashSet<>();
        families.add(SubmissionResult.class);
        for (Method method : Training.class.getMethods()) {
            if (method.getReturnType() == CompletableFuture.class) {
                Type answer = ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0];
                if (answer instanceof ParameterizedType of && of.getRawType() == SubmissionResult.class) {
                    families.add((Class<?>) of.getActualTypeArguments()[0]);
                }
            }
        }
        assertThat(families)
                .as("what the applier answers")
                .hasSizeGreaterThan(5)
                .allMatch(Class::isSealed);
        return families.stream().flatMap(family -> Arrays.stream(family.getPermittedSubclasses()));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void shouldMapEveryOutcomeThatIsNoSuccess(Class<?> outcome) {
        boolean isMapped = Arrays.stream(OutcomeProblems.class.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("of") && method.getParameterTypes()[0] == outcome);

        assertThat(isMapped)
                .as("%s is a success, or has a method OutcomeProblems.of", outcome.getName())
                .isNotEqualTo(SUCCESSES.contains(outcome));
    }

    @ParameterizedTest
    @EnumSource(PushOutcome.Reason.class)
    void shouldNameTheRuleOfARefusedPushAsMetricsDo(PushOutcome.Reason reason) {
        PushOutcome.Refused refused = new PushOutcome.Refused(reason, "the numbers");

        RequestRefused problem = OutcomeProblems.of(refused);

        assertThat(problem.kind().rule()).isEqualTo(refused.label());
        // A gradient whose norm is too large is invalid by itself; the others would have been taken in another state.
        assertThat(problem.kind().status()).isEqualTo(reason == PushOutcome.Reason.GRADIENT_NORM ? 422 : 409);
        assertThat(problem).hasMessage("the numbers");
        assertThat(problem.headers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ShardOutcome.Reason.class)
    void shouldNameTheRuleOfARefusedShard(ShardOutcome.Reason reason) {
        RequestRefused problem = OutcomeProblems.of(new ShardOutcome.Refused(reason, "the numbers"));

        assertThat(problem.kind().name()).isEqualTo(reason.name());
        assertThat(problem.kind().status()).isEqualTo(409);
        assertThat(problem).hasMessage("the numbers");
    }

    @Test
    void shouldTellTheClientToRepeatWhatWasNotDone() {
        RequestRefused busy = OutcomeProblems.of(new SubmissionResult.Busy<>("full"));
        RequestRefused lost = OutcomeProblems.of(new SubmissionResult.NotDurable<>("no space"));

        assertThat(busy.kind()).isEqualTo(ProblemKind.BUSY);
        assertThat(lost.kind()).isEqualTo(ProblemKind.NOT_DURABLE);
        assertThat(busy.kind().rule()).isEqualTo(PushOutcome.label(new SubmissionResult.Busy<>("full")));
        assertThat(lost.kind().rule()).isEqualTo(PushOutcome.label(new SubmissionResult.NotDurable<>("no space")));
        assertThat(Stream.of(busy, lost))
                .allSatisfy(problem -> assertThat(problem.headers()).containsEntry("Retry-After", "1"));
    }

    @Test
    void shouldAnswerOnlyProblemsOfTheContract() {
        Set<String> ofOperations = matches(Pattern.quote(Problem.TYPE_PREFIX) + "([a-z-]+)");
        Set<String> ofAnyRequest = matches("\\* [45]\\d\\d `([a-z-]+)`: ");

        assertThat(ofAnyRequest).contains("not-found", "recovering");
        assertThat(ProblemKind.values())
                .extracting(ProblemKind::rule)
                .allMatch(rule -> ofOperations.contains(rule) || ofAnyRequest.contains(rule), "is in openapi.yaml");
    }

    @Test
    void shouldHaveTheTitlesOfTheContractsExamples() {
        Set<String> examples = matches("type: " + Pattern.quote(Problem.TYPE_PREFIX) + "([a-z-]+\\n +title: .+)");

        assertThat(examples)
                .isNotEmpty()
                .allSatisfy(example -> assertThat(
                                Arrays.stream(ProblemKind.values()).map(kind -> kind.rule() + " " + kind.title()))
                        .contains(example.replaceFirst("\\n +title:", "")));
    }

    private static Set<String> matches(String pattern) {
        return Pattern.compile(pattern)
                .matcher(CONTRACT)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static String contract() {
        try {
            return Files.readString(RepositoryRoot.path().resolve("openapi.yaml"));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @Test
    void shouldGiveARuleOneTitle() {
        assertThat(Arrays.stream(ProblemKind.values())
                        .collect(Collectors.groupingBy(
                                ProblemKind::rule, Collectors.mapping(ProblemKind::title, Collectors.toSet()))))
                .allSatisfy((rule, titles) -> assertThat(titles).as(rule).hasSize(1));
    }
}
