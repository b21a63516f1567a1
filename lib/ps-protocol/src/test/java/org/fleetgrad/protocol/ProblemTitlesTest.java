package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;

class ProblemTitlesTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();

    @Test
    void shouldBeThoseOfTheContract() {
        assertThat(ProblemTitles.all()).isEqualTo(CONTRACT.problemTitles());
    }

    @Test
    void shouldHaveEveryRuleOnce() {
        Set<Object> rules = Arrays.stream(ProblemRules.class.getFields())
                .map(ProblemTitlesTest::value)
                .collect(Collectors.toSet());

        assertThat(rules)
                .hasSize(ProblemRules.class.getFields().length)
                .isEqualTo(ProblemTitles.all().keySet());
        assertThat(ProblemTitles.all().values()).doesNotHaveDuplicates();
    }

    @Test
    void shouldKnowEveryRuleThatAnOperationOfTheContractNames() {
        assertThat(ProblemTitles.all().keySet())
                .containsAll(CONTRACT.problemRules())
                .isNotEmpty();
    }

    @Test
    void shouldRefuseARuleThatThereIsNot() {
        assertThatThrownBy(() -> ProblemTitles.of("bad-luck"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the rule 'bad-luck' has no title");
    }

    private static Object value(Field constant) {
        try {
            return constant.get(null);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
