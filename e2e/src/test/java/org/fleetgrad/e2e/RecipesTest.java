package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.web.SecurityProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The recipes of CONTRIBUTING.md: each test fails if one step of one of them was forgotten. */
class RecipesTest {

    private static final Path ROOT = RepositoryRoot.path();
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern MODULE_ROW = Pattern.compile("\\| `([a-z0-9/-]+)` \\|[^|]*\\|([^|]*)\\|");

    /** Words of two capitals that are no class here. */
    private static final Set<String> NOT_OURS = Set.of(
            "OpenAI",
            "OpenWhisk",
            "MinIO",
            "PyTorch",
            "ArchUnit",
            "AdamW",
            "LeNet",
            "GitHub",
            "CycloneDX",
            "PropertyTest");

    /** A constant and its value. */
    private static Map<String, String> constants(Class<?> holder) throws IllegalAccessException {
        Map<String, String> constants = new TreeMap<>();
        for (Field field : holder.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                constants.put(field.getName(), (String) field.get(null));
            }
        }
        assertThat(constants).isNotEmpty();
        return constants;
    }

    /** All the Java sources below a folder, as one text. */
    private static String sources(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            StringBuilder text = new StringBuilder();
            for (Path file :
                    (Iterable<Path>) files.filter(file -> file.toString().endsWith(".java"))::iterator) {
                text.append(Files.readString(file)).append('\n');
            }
            assertThat(text).as(folder).isNotEmpty();
            return text.toString();
        }
    }

    private static boolean hasWord(String text, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word) + "\\b")
                .matcher(text)
                .find();
    }

    /** Finds a rule as tests write it: alone in quotes, at the end of a type, or as the last column of a table. */
    private static boolean isQuoted(String tests, String rule) {
        return Pattern.compile("[\" :|]" + Pattern.quote(rule) + "\"")
                .matcher(tests)
                .find();
    }

    /** A route: openapi.yaml and Routes name the same paths. RoutesTest and RolesContractTest hold the service to the first. */
    @Test
    void shouldNameEachDocumentedRouteInTheProtocol() throws Exception {
        Set<String> documented = OpenApiContract.load().operations("ps-service").stream()
                .map(operation -> operation.substring(operation.indexOf(' ') + 1))
                .filter(path -> !path.startsWith("/actuator/"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(new TreeSet<>(constants(Routes.class).values())).isEqualTo(documented);
    }

    /** A route: the client calls it. The stream of events, the pages and what only they show are for people and browsers. */
    @Test
    void shouldCallEachRouteInTheClient() throws Exception {
        String client = sources("lib/ps-client/src/main");

        assertThat(constants(Routes.class).keySet())
                .filteredOn(name ->
                        !Set.of("EVENTS", "PAGE", "PAGE_FILE", "EARLIER_RUNS").contains(name))
                .allSatisfy(name -> assertThat(hasWord(client, "Routes." + name))
                        .as("ps-client calls Routes.%s", name)
                        .isTrue());
    }

    /** A problem: openapi.yaml says when it is answered, and a test provokes it. */
    @Test
    void shouldDocumentAndProvokeEachProblem() throws Exception {
        String contract = Files.readString(ROOT.resolve("openapi.yaml"));
        String tests =
                sources("ps-service/src/test") + sources("lib/ps-engine/src/test") + sources("inference-api/src/test");

        // INTERNAL is a bug of the server, which no request provokes.
        Set<ProblemKind> kinds = EnumSet.complementOf(EnumSet.of(ProblemKind.INTERNAL));

        assertThat(kinds).allSatisfy(kind -> {
            String rule = kind.rule();
            assertThat(hasWord(contract, rule)).as("openapi.yaml has %s", rule).isTrue();
            assertThat(hasWord(tests, "ProblemKind." + kind) || isQuoted(tests, rule))
                    .as("a test of a service provokes %s", rule)
                    .isTrue();
        });
    }

    /** A setting: docs/configuration.md has each, and each that it has is one. */
    @Test
    void shouldDocumentEachSettingOfTheServices() throws Exception {
        Set<String> settings = new TreeSet<>();
        for (JavaClass holder : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.fleetgrad.ps", "org.fleetgrad.inference", "org.fleetgrad.spring")) {
            if (holder.isAnnotatedWith(ConfigurationProperties.class)) {
                add(
                        settings,
                        holder.getAnnotationOfType(ConfigurationProperties.class)
                                .value(),
                        holder.reflect());
            }
        }
        // Both services bind their keys with one type.
        add(settings, "ps.security", SecurityProperties.class);
        add(settings, "inference.security", SecurityProperties.class);
        assertThat(settings).contains("ps.learning-rate", "inference.device");

        assertThat(documentedSettings()).isEqualTo(settings);
    }

    private static void add(Set<String> settings, String prefix, Class<?> properties) {
        for (RecordComponent component : properties.getRecordComponents()) {
            String name = prefix + "."
                    + component
                            .getName()
                            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                            .toLowerCase(Locale.ROOT);
            if (component.getType().isRecord() && component.getType().getName().startsWith("org.fleetgrad.")) {
                add(settings, name, component.getType());
            } else {
                settings.add(name);
            }
        }
    }

    /** The names in the first column of a table; {@code `ps.a.x`, `y`} are two of one parent. */
    private static Set<String> documentedSettings() throws IOException {
        Pattern code = Pattern.compile("`([a-z0-9.<>-]+)`");
        Set<String> documented = new TreeSet<>();
        String page = Files.readString(ROOT.resolve("docs/configuration.md"));
        // The section on tests has system properties of the same prefix as the starter's.
        for (String line : page.substring(0, page.indexOf("\n## Tests")).lines().toList()) {
            if (!line.startsWith("| `ps.") && !line.startsWith("| `inference.") && !line.startsWith("| `fleetgrad.")) {
                continue;
            }
            Matcher names = code.matcher(line.substring(0, line.indexOf('|', 1)));
            String parent = "";
            for (MatchResult name : names.results().toList()) {
                String text = name.group(1);
                if (text.contains(".")) {
                    parent = text.substring(0, text.lastIndexOf('.') + 1);
                }
                String setting = text.contains(".") ? text : parent + text;
                // A map by role is one setting of the record.
                documented.add(setting.replaceFirst("\\.security\\.keys\\.<role>\\..*", ".security.keys"));
            }
        }
        return documented;
    }

    /** A network: docs/configuration.md offers it. GoldenNetworksTest holds each to PyTorch's numbers. */
    @Test
    void shouldDocumentEachNetwork() throws Exception {
        String page = Files.readString(ROOT.resolve("docs/configuration.md"));

        assertThat(Networks.names())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    /** A module: the map of docs/architecture.md has each, with the modules that its pom depends on. */
    @Test
    void shouldDrawEachModuleWithItsDependencies() throws Exception {
        Map<String, Set<String>> drawn = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/architecture.md"))) {
            Matcher row = MODULE_ROW.matcher(line);
            if (row.matches() && Files.exists(ROOT.resolve(row.group(1)).resolve("pom.xml"))) {
                drawn.put(row.group(1), words(CODE, row.group(2)));
            }
        }
        Set<String> modules =
                words(Pattern.compile("<module>([^<]+)</module>"), Files.readString(ROOT.resolve("pom.xml")));
        Map<String, Set<String>> built = new TreeMap<>();
        for (String module : modules) {
            // Tests may use everything.
            boolean isFree = module.equals("e2e") || module.equals("lib/test-support");
            built.put(module, isFree ? Set.of() : dependencies(module));
        }

        assertThat(drawn).isEqualTo(built);
    }

    private static Set<String> dependencies(String module) throws IOException {
        String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
        return Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
                .matcher(pom)
                .results()
                .map(match -> match.group(1))
                .filter(dependency -> dependency.contains("<groupId>org.fleetgrad</groupId>")
                        && !dependency.contains("<scope>test</scope>"))
                .map(dependency -> dependency.replaceAll("(?s).*<artifactId>([^<]+)</artifactId>.*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> words(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The map and the recipes themselves: each class, file and folder that they name exists. */
    @ParameterizedTest
    @ValueSource(strings = {"CONTRIBUTING.md", "docs/architecture.md", "SECURITY.md"})
    void shouldNameOnlyWhatExists(String document) throws Exception {
        String page = Files.readString(ROOT.resolve(document));
        Set<String> classes = new TreeSet<>();
        Set<String> packages = new TreeSet<>();
        Set<String> sources = new TreeSet<>();
        for (Path file : javaFiles()) {
            String type = file.getFileName().toString().replace(".java", "");
            classes.add(type);
            sources.add(type);
            Path folder = ROOT.relativize(file).getParent();
            for (int first = 0; folder != null && first < folder.getNameCount(); first++) {
                String place = folder.subpath(first, folder.getNameCount()).toString();
                packages.add(place);
                sources.add(place + "/" + type);
            }
        }
        Set<String> namedClasses = words(Pattern.compile("\\b([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)\\b"), page);
        namedClasses.removeAll(NOT_OURS);
        assertThat(namedClasses).isNotEmpty();
        namedClasses.removeAll(classes);
        assertThat(namedClasses).isEmpty();

        // Such as lib/networks/ of the checkout; run/Trainer or web/exchange/PutGradient of a package.
        Set<String> paths = words(
                Pattern.compile("(?<![\\w.:/-])((?:[a-z][a-z0-9-]*/)+(?:\\.\\.\\./)?[A-Za-z0-9/.-]*[A-Za-z0-9])"),
                page);
        assertThat(paths)
                .isNotEmpty()
                .allSatisfy(path -> assertThat(isThere(path, packages, sources))
                        .as("%s of %s", path, document)
                        .isTrue());
    }

    /** All the Java sources of the checkout, without what the build writes. */
    private static List<Path> javaFiles() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                    .toList();
        }
    }

    private static boolean isThere(String path, Set<String> packages, Set<String> sources) {
        if (Files.exists(ROOT.resolve(path))) {
            return true;
        }
        String inside = path.replaceFirst("^.*/\\.\\.\\./", "");
        // Up to a method's name.
        Matcher type = Pattern.compile("((?:[a-z0-9-]+/)*[A-Z][A-Za-z0-9]*)(?:\\.[a-z]\\w*)?")
                .matcher(inside);
        return type.matches() ? sources.contains(type.group(1)) : packages.contains(inside);
    }
}
