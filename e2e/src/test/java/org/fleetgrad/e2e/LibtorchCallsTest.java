package org.fleetgrad.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What of DJL computes something else than it says, and is not called. */
@AnalyzeClasses(packages = "org.fleetgrad.libtorch", importOptions = ImportOption.DoNotIncludeTests.class)
class LibtorchCallsTest {

    @ArchTest
    static final ArchRule factorsOutliveTheirGraph = noClasses()
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "an array computes with a number",
                    (JavaMethodCall call) -> call.getTargetOwner().isAssignableTo("ai.djl.ndarray.NDArray")
                            && call.getTarget().getRawParameterTypes().stream()
                                    .anyMatch(type -> type.isEquivalentTo(Number.class))))
            .because("such a method closes its number at once, and a backward pass would read memory that was freed");
}
