package org.fleetgrad.datasets.imbalance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.networks.ClassWeights;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ClassWeightingTest {

    private static final List<String> ANIMALS = List.of("cat", "dog", "a=b");

    private static final String SCIKIT_LEARN = """
            import json, sys, numpy
            from sklearn.utils.class_weight import compute_class_weight
            labels = numpy.repeat(numpy.arange(len(sys.argv) - 1), [int(each) for each in sys.argv[1:]])
            print(json.dumps(compute_class_weight("balanced", classes=numpy.unique(labels), y=labels).tolist()))
            """;

    private static ClassWeights weights(String text, long... counts) {
        return ClassWeighting.parse(text).of(ANIMALS, counts);
    }

    /** All samples together keep their weight, and each class that there is gets the same part of it. */
    @Property
    void shouldGiveEachClassTheSamePart(@ForAll @Size(min = 1, max = 9) List<@IntRange(max = 100_000) Integer> counts) {
        long samples = counts.stream().mapToLong(each -> each).sum();
        long there = counts.stream().filter(each -> each > 0).count();
        ClassWeights weights = ClassWeighting.parse("balanced")
                .of(
                        IntStream.range(0, counts.size())
                                .mapToObj(Integer::toString)
                                .toList(),
                        counts.stream().mapToLong(each -> each).toArray());
        for (int label = 0; label < counts.size(); label++) {
            if (counts.get(label) == 0) {
                assertThat(weights.of(label)).isEqualTo(1);
            } else {
                double part = (double) counts.get(label) * weights.of(label);
                assertThat(part).isCloseTo((double) samples / there, within(1e-6 * samples));
            }
        }
    }

    @Test
    @Tag("whole")
    void shouldBalanceAsScikitLearnDoes() {
        long[] counts = {900, 0, 7, 93, 1, 12_345};
        String printed = Python.runWithScikitLearn(
                SCIKIT_LEARN, Arrays.stream(counts).mapToObj(Long::toString).toArray(String[]::new));
        JsonNode expected = JsonMapper.shared().readTree(printed);
        List<String> names = List.of("a", "b", "c", "d", "e", "f");

        ClassWeights weights = new ClassWeighting.Balanced().of(names, counts);

        List<Float> there = new ArrayList<>();
        for (int label = 0; label < counts.length; label++) {
            if (counts[label] > 0) {
                there.add(weights.of(label));
            }
        }
        assertThat(there)
                .isEqualTo(expected.valueStream()
                        .map(each -> (float) each.asDouble())
                        .collect(Collectors.toList()));
    }

    @Test
    void shouldTakeNamesAndNumbersOfClasses() {
        assertThat(weights("dog=4.5", 1, 1, 1).factors()).containsExactly(1f, 4.5f, 1f);
        assertThat(weights("a=b=0,0=2", 1, 1, 1).factors()).containsExactly(2f, 1f, 0f);
        assertThat(new ClassWeighting.Named(Map.of("1", 3.0))
                        .of(List.of("1", "0"), new long[] {1, 1})
                        .factors())
                .as("a name counts before a number")
                .containsExactly(3f, 1f);
        assertThat(weights("", 1, 1, 1).areEqual()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "equal|write balanced, or weights of classes that are 0, or from 1e-9 to 1e9, such as cat=1,dog=4.5; one is 'equal'",
                "cat=-1|one is 'cat=-1'",
                "cat=NaN|one is 'cat=NaN'",
                "cat=1e10|one is 'cat=1e10'",
                "cat=1,|one is ''",
                "=1|one is '=1'",
                "cat=1,cat=2|the class 'cat' has two weights",
                "cat=1,0=2|the class 'cat' has two weights, by its name and by its number 0",
                "cow=2|there is no class 'cow'; the classes are cat, dog, a=b, or their numbers 0 to 2",
                "3=2|there is no class '3'; the classes are cat, dog, a=b, or their numbers 0 to 2",
                "cat=0,dog=0|every training sample would have the weight 0; the classes are cat, dog, a=b"
            })
    void shouldRefuseWhatIsNoWeightOfAClass(String text, String message) {
        assertThatThrownBy(() -> weights(text, 3, 4, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldTravelAsText() {
        ClassWeights weights = new ClassWeights(List.of(0.55f, 4.5f, 0f));

        assertThat(ClassWeights.parse(weights.toString())).isEqualTo(weights);
        assertThatThrownBy(() -> ClassWeights.parse("1,two"))
                .hasMessage("weights of classes are numbers with commas between them, such as 1,4.5; one is 'two'");
        assertThatThrownBy(() -> ClassWeights.parse("1,-2"))
                .hasMessage("the weight of class 1 must be 0, or from 1e-9 to 1e9; it is -2.0");
        assertThatThrownBy(() -> ClassWeights.parse("0,0")).hasMessage("the weights of all 2 classes are 0");
    }
}
