package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/**
 * The laws of the house: arrows between modules and packages, doors of libraries, length of files, and words. RecipesTest holds what
 * docs must list, such as each setting; StationsIT counts the types that a gradient and a prediction enter.
 */
@AnalyzeClasses(
        packages = "org.fleetgrad",
        importOptions = {ImportOption.DoNotIncludeTests.class, HouseRulesTest.NoTestJars.class})
class HouseRulesTest {

    /** ArchUnit knows folders of test classes; what a module's tests lend to others comes as a jar. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    @ArchTest
    static final ArchTests arrows = ArchTests.in(Arrows.class);

    @ArchTest
    static final ArchTests doors = ArchTests.in(LibraryDoors.class);

    private static final Path ROOT = RepositoryRoot.path();
    private static final int LONGEST_FILE = 400;
    private static final String GLOSSARY = "docs/glossary.md";
    private static final String TABLE = "## Words we do not use";

    /** What people read. A changelog and the decisions speak of what was. */
    private static final Pattern READ =
            Pattern.compile("(?!CHANGELOG|docs/adr/|docs/glossary).*\\.(java|md|yaml|py|html|js)");

    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".mvn", "node_modules");

    private static List<Path> files(Pattern names) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(ROOT::relativize)
                    .filter(file -> names.matcher(file.toString()).matches())
                    .filter(file -> Stream.iterate(file, each -> each != null, Path::getParent)
                            .noneMatch(
                                    each -> NOT_OURS.contains(each.getFileName().toString())))
                    .toList();
        }
    }

    /** CONTRIBUTING.md: a file of more than 400 lines is two. */
    @Test
    void shouldSplitFilesPast400Lines() throws IOException {
        Map<String, Integer> tooLong = new TreeMap<>();
        for (Path file : files(Pattern.compile(".*\\.java"))) {
            int lines = Files.readAllLines(ROOT.resolve(file)).size();
            if (lines > LONGEST_FILE) {
                tooLong.put(file.toString(), lines);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    /** docs/glossary.md: each phrase that its last table bans stands nowhere, neither in prose nor as a part of a name. */
    @Test
    void shouldUseNoBannedWord() throws IOException {
        Map<Pattern, String> banned = banned();
        List<String> found = new ArrayList<>();
        for (Path file : files(READ)) {
            List<String> lines = Files.readAllLines(ROOT.resolve(file));
            for (int i = 0; i < lines.size(); i++) {
                for (Map.Entry<Pattern, String> word : banned.entrySet()) {
                    Matcher use = word.getKey().matcher(lines.get(i));
                    if (use.find()) {
                        found.add("%s:%d has \"%s\": write %s".formatted(file, i + 1, use.group(), word.getValue()));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Each banned phrase, as it stands in prose, in camel case and in a setting, with what to write instead. */
    private static Map<Pattern, String> banned() throws IOException {
        Map<Pattern, String> banned =
                new TreeMap<>((one, other) -> one.pattern().compareTo(other.pattern()));
        String page = Files.readString(ROOT.resolve(GLOSSARY));
        String table = page.substring(page.indexOf(TABLE) + TABLE.length());
        for (String line : table.lines().toList()) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 4 && !cells[1].strip().equals("instead of") && !cells[1].startsWith("-")) {
                for (String phrase : cells[1].strip().split(", ", -1)) {
                    String parts = String.join("[ _-]?", phrase.split(" ", -1));
                    banned.put(Pattern.compile("(?i)\\b" + parts + "\\b"), cells[2].strip());
                }
            }
        }
        assertThat(banned).as("the banned words of %s", GLOSSARY).isNotEmpty();
        return banned;
    }
}
