package org.fleetgrad.runs.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ConcurrentModificationException;
import org.junit.jupiter.api.Test;

class OptionPathTest {

    private static final OptionPath DATA = new OptionPath("--data", Path.of("some/digits"));

    @Test
    void shouldNameAPathOnce() {
        assertThat(DATA.message(new NoSuchFileException("some/digits", null, "it is no folder")))
                .isEqualTo("--data some/digits: it is no folder");
        assertThat(DATA.message(new IOException("some/digits has 3 files")))
                .isEqualTo("--data some/digits has 3 files");
        assertThat(DATA.message(new IOException("some/digits/a/b.png is broken")))
                .isEqualTo("--data some/digits: a/b.png is broken");
        assertThat(DATA.message(new IllegalArgumentException("there are 2 classes")))
                .isEqualTo("--data some/digits: there are 2 classes");
    }

    @Test
    void shouldNotTakeAnotherNameForThePath() {
        assertThat(DATA.message(new IOException("some/digits2/a is broken")))
                .isEqualTo("--data some/digits: some/digits2/a is broken");
        assertThat(new OptionPath("--data", Path.of("/")).message(new IOException("/a is broken")))
                .isEqualTo("--data /: a is broken");
    }

    @Test
    void shouldSayWhichFailureHasNoReason() {
        assertThat(DATA.message(new AccessDeniedException("some/digits")))
                .isEqualTo("--data some/digits: it cannot be read (AccessDeniedException)");
        assertThat(DATA.message(new IOException())).isEqualTo("--data some/digits: java.io.IOException");
        assertThat(DATA.message(new ConcurrentModificationException("twice")))
                .isEqualTo("--data some/digits: java.util.ConcurrentModificationException: twice");
    }
}
