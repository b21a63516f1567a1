package org.fleetgrad.inference;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String[] FEATURES = {
        "..inference.evaluation..",
        "..inference.prediction..",
        "..inference.infer..",
        "..inference.completion..",
        "..inference.body.."
    };
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // Spring generates classes beside those whose beans it defines (ADR 54).
            .withImportOption(location -> !location.contains("__"))
            .importPackages("org.fleetgrad.inference");

    @Test
    void shouldKeepFeaturesFreeOfSpring() {
        noClasses()
                .that()
                .resideInAnyPackage(FEATURES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "jakarta..", "io.micrometer..")
                .because("features must be testable without a Spring container")
                .check(CLASSES);
    }

    @Test
    void shouldKeepFeaturesFreeOfHttp() {
        noClasses()
                .that()
                .resideInAnyPackage(FEATURES)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..inference.web..")
                .because("web may use the features, but features must not use web")
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCycles() {
        slices().matching("org.fleetgrad.inference.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void shouldReachTheNetworksThroughServingAlone() {
        noClasses()
                .that()
                .resideInAnyPackage("..inference.evaluation..", "..inference.prediction..", "..inference.web..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.fleetgrad.networks..", "org.fleetgrad.libtorch..")
                .because("all computation goes through Classifier, of the module serving")
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.djl..")
                .because("only the module libtorch may use DJL")
                .check(CLASSES);
    }

    @Test
    void shouldKeepTheWebToItself() {
        classes()
                .that()
                .resideInAPackage("..inference.web..")
                .should()
                .notBePublic()
                .because("nothing else may use it")
                .check(CLASSES);
    }
}
