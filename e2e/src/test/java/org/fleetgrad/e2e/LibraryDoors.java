package org.fleetgrad.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** What of a library other modules may use: its public types outside of packages named {@code internal}. {@link HouseRulesTest} checks it. */
final class LibraryDoors {

    private static final int MOST_TYPES_OF_THE_CLIENT = 10;

    private LibraryDoors() {}

    @ArchTest
    static final ArchRule internalPackagesStayInTheirModule = noClasses()
            .should(new ArchCondition<JavaClass>("reach into the internal packages of another module") {
                @Override
                public void check(JavaClass origin, ConditionEvents events) {
                    origin.getDirectDependenciesFromSelf().stream()
                            .filter(LibraryDoors::reachesIntoAnotherModule)
                            .forEach(dependency ->
                                    events.add(SimpleConditionEvent.satisfied(origin, dependency.getDescription())));
                }
            })
            .because("a library's door is its public types outside of them");

    /** A package named {@code internal} belongs to the module of the packages around it. */
    private static boolean reachesIntoAnotherModule(Dependency dependency) {
        String target = dependency.getTargetClass().getPackageName() + ".";
        int internal = target.indexOf(".internal.");
        String origin = dependency.getOriginClass().getPackageName() + ".";
        return target.startsWith("org.fleetgrad.")
                && internal >= 0
                && !origin.startsWith(target.substring(0, internal + 1));
    }

    @ArchTest
    static void theClientHasASmallDoor(JavaClasses imported) {
        assertThat(imported.stream()
                        .filter(type -> (type.getPackageName() + ".").startsWith("org.fleetgrad.client."))
                        .filter(type -> !(type.getPackageName() + ".").contains(".internal."))
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName))
                .as("public types of ps-client outside its internal packages")
                .isNotEmpty()
                .hasSizeLessThanOrEqualTo(MOST_TYPES_OF_THE_CLIENT);
    }
}
