package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/** The pages and the decisions: what they name and count is what the tree has. */
class DocumentationTest {

    private static final Path ROOT = RepositoryRoot.path();
    private static final Path DECISIONS = ROOT.resolve("docs/adr");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    /** Two capitalized parts or more. An option of a program is none, nor is a part of a longer word such as {@code *HammerTest}. */
    private static final Pattern TYPE = Pattern.compile("(?<![\\w*:-])([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)\\b(?!=)");

    private static final String DECLARED = "\\b(?:class|record|interface|enum)\\s+([A-Z]\\w*)";

    /** Types of the JDK and of libraries, and other names of two capitals. */
    private static final Set<String> NOT_OURS = Set.of(
            "BertForMaskedLM",
            "BertForPreTraining",
            "BertForSequenceClassification",
            "BertModel",
            "AutoTokenizer",
            "CodedOutputStream",
            "CrossEntropyLoss",
            "HttpURLConnection",
            "JniUtils",
            "JsonObject",
            "LabelEncoder",
            "ModelInfer",
            "ModelReady",
            "NaN",
            "RepositoryIndex",
            "ServerLive",
            "ServerMetadata",
            "ServerReady",
            "NaT",
            "OpenWhisk",
            "RssAnon",
            "RssShmem",
            "ServiceLoader",
            "SocketChannel",
            "StrictMath",
            "ValueError",
            "WeightedRandomSampler");

    private static final List<String> NUMBERS = List.of(
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
            "thirty",
            "forty");

    /** What a build, a run or a script writes. */
    private static final Pattern MADE = Pattern.compile(".*\\btarget/.*|runs/.*|docker/kubernetes-own(/.*)?");

    @Test
    void shouldSayTheStatusOfEachDecision() throws Exception {
        List<Path> decisions = pages(DECISIONS);
        for (int i = 0; i < decisions.size(); i++) {
            Path decision = decisions.get(i);
            assertThat(decision.getFileName().toString()).startsWith("%04d-".formatted(i + 1));
            List<String> lines = Files.readAllLines(decision);
            assertThat(lines.get(0)).as("%s", decision).startsWith("# %d. ".formatted(i + 1));
            assertThat(lines.get(2)).as("%s", decision).matches("Status: (accepted|superseded)\\b.*");
        }
    }

    @Test
    void shouldNameOnlyTypesThatExist() throws Exception {
        Set<String> types = types();
        Map<Path, Set<String>> unknown = new TreeMap<>();
        for (Path page : pages()) {
            Set<String> named = code(page).stream()
                    .flatMap(code -> TYPE.matcher(code).results())
                    .map(match -> match.group(1))
                    .filter(name -> !types.contains(name) && !NOT_OURS.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!named.isEmpty()) {
                unknown.put(ROOT.relativize(page), named);
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void shouldNameOnlyFilesThatExist() throws Exception {
        Set<String> tops;
        try (Stream<Path> entries = Files.list(ROOT)) {
            tops = entries.filter(Files::isDirectory)
                    .map(entry -> entry.getFileName().toString())
                    .collect(Collectors.toSet());
        }
        List<String> tree = tree();
        Map<Path, Set<String>> unknown = new TreeMap<>();
        for (Path page : pages()) {
            Set<String> named = code(page).stream()
                    .map(code -> code.replaceFirst("^@", ""))
                    .filter(code -> code.matches("[\\w-]+(/[\\w.-]+)+/?"))
                    .filter(code -> tops.contains(code.substring(0, code.indexOf('/'))))
                    .filter(code -> !MADE.matcher(code).matches() && !isThere(code, tree))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!named.isEmpty()) {
                unknown.put(ROOT.relativize(page), named);
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** Three dots stand for folders; a type of Java has no ending, and a method may follow it. */
    private static boolean isThere(String name, List<String> tree) {
        int dots = name.indexOf("/.../");
        if (dots < 0) {
            return Files.exists(ROOT.resolve(name));
        }
        String top = name.substring(0, dots + 1);
        String rest = name.substring(dots + "/...".length());
        Pattern end = Pattern.compile(Pattern.quote(rest) + "(\\.java)?|"
                + Pattern.quote(rest.replaceFirst("\\.[a-z]\\w*$", "")) + "\\.java");
        return tree.stream()
                .filter(path -> path.startsWith(top))
                .anyMatch(path -> end.matcher(path).results().anyMatch(match -> match.end() == path.length()));
    }

    @Test
    void shouldListEachPageInTheReadme() throws Exception {
        Set<String> listed = results("(?m)^\\| \\[(docs/[a-z-]+\\.md)\\]", Files.readString(ROOT.resolve("README.md")))
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(listed)
                .isEqualTo(pages(ROOT.resolve("docs")).stream()
                        .map(page -> ROOT.relativize(page).toString())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void shouldExplainEachWordOnce() throws Exception {
        List<String> words = results("(?m)^\\| ([^|]+) \\|", glossary())
                .map(match -> match.group(1))
                .flatMap(heading -> Stream.of(heading.split(", ")))
                .toList();

        assertThat(words).hasSizeGreaterThan(50).doesNotHaveDuplicates();
    }

    /** The words that we use. */
    private static String glossary() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/glossary.md"));
        return page.substring(0, page.indexOf("## Words we do not use"));
    }

    /** A text that counts ten or more must count right. */
    @Test
    void shouldCountNetworksAndLibrariesAsTheyAre() throws Exception {
        int networks = Networks.names().size();
        long libraries;
        try (Stream<Path> entries = Files.list(ROOT.resolve("lib"))) {
            libraries = entries.filter(entry -> Files.exists(entry.resolve("pom.xml")))
                    .count();
        }
        List<Path> texts = new ArrayList<>(pages());
        for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md")) {
            texts.add(ROOT.resolve(name));
        }
        String numbers = "\\b([1-9][0-9]+|" + String.join("|", NUMBERS) + ") ";
        for (Path text : texts) {
            String content = Files.readString(text);
            assertThat(results(numbers + "networks\\b", content).map(DocumentationTest::number))
                    .as("networks in %s", text)
                    .allMatch(number -> number == networks);
            assertThat(results(numbers + "libraries\\b", content).map(DocumentationTest::number))
                    .as("libraries in %s", text)
                    .allMatch(number -> number == libraries);
        }
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .contains("`./fleetgrad networks` lists %d,".formatted(networks));
        assertThat(Files.readString(ROOT.resolve("CHANGELOG.md")))
                .contains("`--network` trains any of %d:".formatted(networks));
    }

    private static long number(MatchResult match) {
        int word = NUMBERS.indexOf(match.group(1));
        // After twenty, the words are tens.
        int tens = NUMBERS.indexOf("twenty");
        if (word < 0) {
            return Long.parseLong(match.group(1));
        }
        return word <= tens ? 10L + word : 10L * (word - tens + 2);
    }

    /** A text beside a table may say how old the table is; who measures it again must change that text. */
    @Test
    void shouldSayTheCommitOfAMeasuredTable() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/performance.md"));
        Set<String> measured = results("(?m)^- \\d{4}-\\d\\d-\\d\\d, commit ([0-9a-f]+)", page)
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(measured).isNotEmpty();
        assertThat(results("measured at commit ([0-9a-f]+)", page).map(match -> match.group(1)))
                .isSubsetOf(measured);
    }

    private static Stream<MatchResult> results(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results();
    }

    /** What stands in backticks, without the blocks of commands. */
    private static List<String> code(Path page) throws IOException {
        String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
        return CODE.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(pages(ROOT.resolve("docs")));
        pages.addAll(pages(DECISIONS));
        return pages;
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** All types of the checkout, nested ones too. */
    private static Set<String> types() throws IOException {
        Set<String> types = new TreeSet<>();
        for (String path : tree()) {
            if (path.endsWith(".java") || path.endsWith(".py")) {
                results(DECLARED, Files.readString(ROOT.resolve(path))).forEach(match -> types.add(match.group(1)));
            }
        }
        return types;
    }

    /** All paths of the checkout, without what the build writes. */
    private static List<String> tree() throws IOException {
        try (Stream<Path> paths = Files.walk(ROOT)) {
            return paths.map(path -> ROOT.relativize(path).toString())
                    .filter(path -> !path.startsWith(".git/") && !("/" + path).contains("/target/"))
                    .toList();
        }
    }
}
