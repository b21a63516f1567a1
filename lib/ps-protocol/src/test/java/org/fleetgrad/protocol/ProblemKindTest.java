package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;

class ProblemKindTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    /** Kinds of one rule have one title. */
    private static final Map<String, String> TITLES = Arrays.stream(ProblemKind.values())
            .map(kind -> Map.entry(kind.rule(), kind.title()))
            .distinct()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    @Test
    void shouldHaveTheTitlesOfTheContract() {
        assertThat(TITLES).isEqualTo(CONTRACT.problemTitles());
        assertThat(TITLES.values()).doesNotHaveDuplicates();
    }

    @Test
    void shouldKnowEveryRuleThatAnOperationOfTheContractNames() {
        assertThat(TITLES.keySet()).containsAll(CONTRACT.problemRules()).isNotEmpty();
    }

    @Test
    void shouldAnswerARuleWithSeveralStatuses() {
        assertThat(ProblemKind.NO_PARAMETERS_TO_GET.rule()).isEqualTo("no-parameters");
        assertThat(ProblemKind.NO_MODEL.type()).isEqualTo("urn:fleetgrad:problem:no-parameters");
        assertThat(ProblemKind.NO_MODEL.status()).isEqualTo(503);
    }
}
