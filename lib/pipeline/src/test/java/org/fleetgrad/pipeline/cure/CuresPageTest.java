package org.fleetgrad.pipeline.cure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks docs/pipeline-cures.md against the code. */
class CuresPageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "pipeline-cures.md");
    private static final Pattern RULE = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|");

    private List<String> lines = List.of();
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(PAGE);
        lines = page.lines().toList();
    }

    @Test
    void shouldListExactlyTheRulesOfCombinations() {
        List<String> listed =
                RULE.matcher(page).results().map(match -> match.group(1)).toList();

        assertThat(listed)
                .containsExactlyElementsOf(Arrays.stream(CombinationRule.values())
                        .map(CombinationRule::name)
                        .toList());
    }

    @Test
    void shouldExplainEverySchedule() {
        for (PipelineSchedule schedule : PipelineSchedule.values()) {
            assertThat(lines).anyMatch(line -> line.startsWith("### `" + schedule.text() + "`"));
        }
    }

    /** Four stages: depths 3 to 0. */
    @Test
    void shouldStateStalenessAndLiveVersionsOfClosedForms() {
        for (int stepEvery = 1; stepEvery <= 4; stepEvery++) {
            StringBuilder row = new StringBuilder("| %d |".formatted(stepEvery));
            for (int depth = 3; depth >= 0; depth--) {
                StageStaleness staleness = new StageStaleness(depth, stepEvery);
                double mean = (double) depth / stepEvery;
                row.append(String.format(
                        Locale.ROOT, " %.2f, %d, %d |", mean, staleness.largest(), staleness.liveVersions()));
            }
            assertThat(lines).contains(row.toString());
        }
    }
}
