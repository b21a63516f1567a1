package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/** The modules that other programs build on, and the programs that show how (ADR 49). CI builds these: .ci/examples. */
class LibraryModulesTest {

    private static final Path ROOT = RepositoryRoot.path();
    private static final String BOM = "lib/bom";
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern TYPE =
            Pattern.compile("(?m)^public (?:[a-z-]+ )*(?:class|record|interface|enum|@interface) (\\w+)");
    private static final Pattern DOCUMENTED = Pattern.compile("\\*/\\n(?:@[^\\n]*\\n(?:[ )}][^\\n]*\\n)*)*$");

    private static String pom(String folder) throws IOException {
        return Files.readString(ROOT.resolve(folder).resolve("pom.xml"));
    }

    private static String first(String element, String text) {
        Matcher found =
                Pattern.compile("<%1$s>([^<]+)</%1$s>".formatted(element)).matcher(text);
        assertThat(found.find()).as(element).isTrue();
        return found.group(1);
    }

    /** The modules of the reactor without their parent's part, by artifact. */
    private static Map<String, String> modules() throws IOException {
        Map<String, String> modules = new TreeMap<>();
        Matcher module = Pattern.compile("<module>([^<]+)</module>").matcher(pom(""));
        while (module.find()) {
            modules.put(
                    first("artifactId", pom(module.group(1)).replaceFirst("(?s)<parent>.*?</parent>", "")),
                    module.group(1));
        }
        return modules;
    }

    private static String folder(Map<String, String> modules, String artifact) {
        return Objects.requireNonNull(modules.get(artifact), artifact);
    }

    private static Set<String> ours(String pom) {
        return DEPENDENCY
                .matcher(pom)
                .results()
                .map(MatchResult::group)
                .filter(dependency -> dependency.contains("<groupId>org.fleetgrad</groupId>"))
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .map(dependency -> first("artifactId", dependency))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> listed() throws IOException {
        return ours(pom(BOM));
    }

    private static List<String> examples() throws IOException {
        String script = Files.readString(ROOT.resolve(".ci/examples"));
        Matcher names = Pattern.compile("for example in ([^;]+);").matcher(script);
        assertThat(names.find()).isTrue();
        return List.of(names.group(1).split(" ", -1));
    }

    @Test
    void shouldListEachModuleWithJavadocInTheBom() throws Exception {
        Set<String> documented = new TreeSet<>();
        for (Map.Entry<String, String> module : modules().entrySet()) {
            if (pom(module.getValue()).contains("<maven.javadoc.skip>false</maven.javadoc.skip>")) {
                documented.add(module.getKey());
            }
        }
        assertThat(listed()).isEqualTo(documented);
    }

    /** Otherwise a program would get the API without what it needs. */
    @Test
    void shouldListWhatListedModulesNeed() throws Exception {
        Map<String, String> modules = modules();
        for (String artifact : listed()) {
            assertThat(listed()).as("needed by %s", artifact).containsAll(ours(pom(folder(modules, artifact))));
        }
    }

    @Test
    void shouldStateTheVersionsOfTheRoot() throws Exception {
        String root = pom("");
        String bom = pom(BOM);
        assertThat(first("version", bom)).isEqualTo(first("version", root));
        assertThat(bom.substring(bom.indexOf("spotless")))
                .contains("<version>" + first("spotless.version", root) + "</version>");
        for (String example : examples()) {
            String pom = pom("examples/" + example);
            assertThat(first("fleetgrad.version", pom)).isEqualTo(first("version", root));
            assertThat(first("spring-boot.version", pom)).isEqualTo(first("spring-boot.version", root));
        }
    }

    /** Examples use artifacts alone. */
    @Test
    void shouldBuildEachExampleThatIsNoModule() throws Exception {
        Set<String> folders = new TreeSet<>();
        try (Stream<Path> all = Files.list(ROOT.resolve("examples"))) {
            all.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .forEach(folders::add);
        }
        folders.removeAll(modules().keySet());

        assertThat(examples()).containsExactlyInAnyOrderElementsOf(folders);
        for (String example : examples()) {
            String pom = pom("examples/" + example);
            assertThat(pom).doesNotContain("<parent>", "<relativePath>", "systemPath");
            Set<String> used = ours(pom);
            assertThat(used.remove("fleetgrad-bom")).isTrue();
            assertThat(listed()).as(example).containsAll(used);
        }
    }

    @Test
    void shouldDocumentEachPublicType() throws Exception {
        List<String> bare = new ArrayList<>();
        Map<String, String> modules = modules();
        for (String artifact : listed()) {
            Path sources = ROOT.resolve(folder(modules, artifact)).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        (Iterable<Path>) files.filter(each -> each.toString().endsWith(".java"))::iterator) {
                    String text = Files.readString(file);
                    Matcher type = TYPE.matcher(text);
                    if (type.find()
                            && !DOCUMENTED
                                    .matcher(text.substring(0, type.start()))
                                    .find()) {
                        bare.add(ROOT.relativize(file).toString());
                    }
                }
            }
        }
        assertThat(bare).as("public types without Javadoc").isEmpty();
    }
}
