package org.fleetgrad.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

    @Test
    void shouldTakeTheSentencesAndLeaveTablesCodeAndMarkup() {
        assertThat(PlainText.paragraphs("""
                        # A title that is long enough to be a paragraph by its length

                        A **server** takes `gradients`, and
                        [publishes](docs/modes.md) its parameters.

                        ```
                        ./fleetgrad train --data DIR --workers 2 --mode sync
                        ```

                        | a table | that is long enough to be a paragraph |
                        - The first item is a paragraph of its own,
                          on two lines.
                        2. So is the second item, which has a number.

                        Too short.
                        """))
                .containsExactly(
                        "A server takes gradients, and publishes its parameters.",
                        "The first item is a paragraph of its own, on two lines.",
                        "So is the second item, which has a number.");
    }
}
