package org.fleetgrad.files.text;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void shouldKeepOrdinaryText() {
        assertThat(Printable.text("tensor 'größe' 形状 🙂")).isEqualTo("tensor 'größe' 形状 🙂");
    }

    @Test
    void shouldReplaceWhatWouldBreakOrHideLine() {
        assertThat(Printable.text("a\nb\u001b[2Jc\u202Ed\u2028e\uD800f"))
                .isEqualTo("a\uFFFDb\uFFFD[2Jc\uFFFDd\uFFFDe\uFFFDf");
    }

    @Test
    void shouldCutLongTextAndSayHowLongItWas() {
        assertThat(Printable.text("x".repeat(400))).isEqualTo("x".repeat(400));
        assertThat(Printable.text("x".repeat(401))).isEqualTo("x".repeat(400) + "… (401 characters)");
    }

    @Test
    void shouldNotCutThroughSurrogatePair() {
        assertThat(Printable.text("x".repeat(399) + "🙂")).isEqualTo("x".repeat(399) + "… (401 characters)");
    }

    @Property
    void shouldAlwaysBeShortAndOfOneLine(@ForAll String text) {
        assertThat(Printable.text(text)).doesNotContainPattern("[\\p{Cntrl}\u2028\u2029]");
        assertThat(Printable.text(text.repeat(50)).length()).isLessThanOrEqualTo(Printable.LIMIT + 30);
    }
}
