package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/**
 * Guards what docs/library.md calls stable: every public type of these modules, with its public members, stands in
 * e2e/src/test/api. Whoever changes one sees it in the difference of a file, and others in the review.
 */
class PublicApiTest {

    private static final Path ROOT = RepositoryRoot.path();
    private static final Path FILES = ROOT.resolve("e2e/src/test/api");

    /** Writes the files in place of comparing them. */
    private static final String ACCEPT = "fleetgrad.accept-api";

    private static final Map<String, String> MODULES = Map.of(
            "org.fleetgrad.protocol", "ps-protocol",
            "org.fleetgrad.client", "ps-client",
            "org.fleetgrad.following", "following",
            "org.fleetgrad.serving", "serving",
            "org.fleetgrad.networks", "networks",
            "org.fleetgrad.libtorch", "libtorch",
            "org.fleetgrad.datasets", "datasets",
            "org.fleetgrad.optim", "optim",
            "org.fleetgrad.spring", "fleetgrad-spring-boot-starter");

    /** Of the parameter server, whose other public types are Spring's. */
    private static final String EMBEDDED = "org.fleetgrad.ps.EmbeddedServer";

    private static final Set<String> OF_EVERY_TYPE = Set.of("equals", "hashCode", "toString");

    private static final String HOW =
            "To accept it: ./mvnw test -pl e2e -am -Dtest=PublicApiTest -D%s=true -Dsurefire.failIfNoSpecifiedTests=false"
                    .formatted(ACCEPT);

    @Test
    void shouldChangeThePublicApiOnlyWithItsFile() throws Exception {
        Map<String, String> actual = actual();
        assertThat(actual).hasSize(MODULES.size() + 1);
        if (Boolean.getBoolean(ACCEPT)) {
            Files.createDirectories(FILES);
            for (Map.Entry<String, String> module : actual.entrySet()) {
                Files.writeString(file(module.getKey()), module.getValue());
            }
        }
        for (Map.Entry<String, String> module : actual.entrySet()) {
            Set<String> before = Files.exists(file(module.getKey())) ? lines(read(module.getKey())) : Set.of();
            Set<String> now = lines(module.getValue());
            assertThat(without(before, now))
                    .as("gone from the public API of %s; other programs may use it. %s", module.getKey(), HOW)
                    .isEmpty();
            assertThat(without(now, before))
                    .as("new in the public API of %s. %s", module.getKey(), HOW)
                    .isEmpty();
        }
    }

    private static Path file(String module) {
        return FILES.resolve(module + ".txt");
    }

    private static String read(String module) throws IOException {
        return Files.readString(file(module));
    }

    private static Set<String> lines(String text) {
        return new TreeSet<>(text.lines().toList());
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** The public types of each module with their public members, a line each. */
    private static Map<String, String> actual() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(new HouseRulesTest.NoTestJars())
                        .importPackages(Stream.concat(MODULES.keySet().stream(), Stream.of("org.fleetgrad.ps"))
                                .toList())
                        .stream()
                        .filter(PublicApiTest::isOpen)
                        .filter(type -> !module(type).isEmpty())
                        .sorted(Comparator.comparing(JavaClass::getName))
                        .collect(Collectors.groupingBy(
                                PublicApiTest::module,
                                Collectors.flatMapping(PublicApiTest::describe, Collectors.joining("\n", "", "\n"))));
    }

    private static String module(JavaClass type) {
        if (type.getName().equals(EMBEDDED)) {
            return "ps-service";
        }
        return MODULES.entrySet().stream()
                .filter(module -> (type.getPackageName() + ".").startsWith(module.getKey() + "."))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** Public, and so is each type around it; not internal. */
    private static boolean isOpen(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.isAnonymousClass()
                && !(type.getPackageName() + ".").contains(".internal.")
                && type.getEnclosingClass().map(PublicApiTest::isOpen).orElse(true);
    }

    private static Stream<String> describe(JavaClass type) {
        String head = type.getName() + " is " + kind(type);
        Stream<String> members = type.getMembers().stream()
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC)
                        && !member.getModifiers().contains(JavaModifier.BRIDGE))
                .filter(member -> !OF_EVERY_TYPE.contains(member.getName()))
                .map(member -> type.getName() + " has " + describe(member))
                .sorted();
        return Stream.concat(Stream.of(head), members);
    }

    private static String kind(JavaClass type) {
        if (type.isInterface()) {
            return type.isAnnotation() ? "an annotation" : "an interface";
        }
        return type.isRecord() ? "a record" : type.isEnum() ? "an enum" : "a class";
    }

    private static String describe(JavaMember member) {
        String form = member.getModifiers().contains(JavaModifier.STATIC) ? "static " : "";
        if (member instanceof JavaCodeUnit unit) {
            List<String> parameters =
                    unit.getRawParameterTypes().stream().map(JavaClass::getName).toList();
            return "%s%s(%s) -> %s"
                    .formatted(
                            form,
                            unit.getName(),
                            String.join(", ", parameters),
                            unit.getRawReturnType().getName());
        }
        return "%s%s: %s"
                .formatted(
                        form,
                        member.getName(),
                        ((JavaField) member).getRawType().getName());
    }
}
