package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

/** An option means the same in each command of {@code fleetgrad}. */
class OptionsTest {

    private static final Pattern BEGINNING = Pattern.compile("(\\S+ ){2}\\(?[\\p{Alnum}-]+");

    /**
     * Descriptions of options of the same name begin with the same three words. No option is excepted: if two commands need
     * different things, they need different names.
     */
    @Test
    void shouldDescribeEachOptionAlikeInEachCommand() {
        Map<String, Set<String>> beginnings = new TreeMap<>();
        for (Option option : options()) {
            String description = String.join(" ", option.description());
            Matcher beginning = BEGINNING.matcher(description);
            assertThat(beginning.lookingAt()).as(description).isTrue();
            for (String name : option.names()) {
                beginnings.computeIfAbsent(name, unused -> new TreeSet<>()).add(beginning.group());
            }
        }
        assertThat(beginnings).containsKeys("--resume", "--from", "--learning-rate-schedule", "--rate", "--eval-freq");
        assertThat(beginnings)
                .allSatisfy((name, each) -> assertThat(each)
                        .as("ways in which descriptions of %s begin", name)
                        .hasSize(1));
    }

    private static List<Option> options() {
        ClassFileImporter importer = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
        List<JavaClass> holders = new ArrayList<>(importer.importPackages("org.fleetgrad"));
        // The benchmarks are built before this module, but they are not on its class path.
        holders.addAll(importer.importPath(RepositoryRoot.path().resolve("benchmarks/target/classes")));
        return holders.stream()
                .flatMap(holder -> holder.getFields().stream())
                .filter(field -> field.isAnnotatedWith(Option.class))
                .map((JavaField field) -> field.getAnnotationOfType(Option.class))
                .toList();
    }
}
