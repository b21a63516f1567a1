package org.fleetgrad.e2e;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import java.util.stream.Stream;

/** The arrows between modules and packages. {@link HouseRulesTest} checks them. */
final class Arrows {

    private static final String[] PROGRAMS = {
        "org.fleetgrad.ps..",
        "org.fleetgrad.worker..",
        "org.fleetgrad.tools..",
        "org.fleetgrad.inference..",
        "org.fleetgrad.evaluator..",
        "org.fleetgrad.cli..",
        "org.fleetgrad.benchmarks.."
    };

    private Arrows() {}

    /** The rule that a package depends on itself, the JDK, the annotations of nullness, and other packages that it names. */
    private static ClassesShouldConjunction onlyKnows(String own, String... others) {
        String[] known = Stream.concat(Stream.of(own, "java..", "org.jspecify.."), Stream.of(others))
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(own)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(known);
    }

    private static ClassesShouldConjunction neverKnows(String own, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    @ArchTest
    static final ArchRule onlyLibtorchKnowsDjl = noClasses()
            .that()
            .resideOutsideOfPackages("org.fleetgrad.libtorch..", "org.fleetgrad.tokenizers..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("ai.djl..")
            .because("everything else must run without libtorch, or against another engine");

    @ArchTest
    static final ArchRule onlyParquetKnowsItsDecompressors = noClasses()
            .that()
            .resideOutsideOfPackage("org.fleetgrad.parquet..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.airlift..")
            .because("workers and services read shards, and do not have the library");

    @ArchTest
    static final ArchRule networksAreData = onlyKnows(
                    "org.fleetgrad.networks..",
                    "org.fleetgrad.protocol..",
                    "org.fleetgrad.files.text..",
                    "tools.jackson..",
                    "com.fasterxml.jackson.annotation..")
            .because("a command that lists networks, or a server that checks one, must cost no engine");

    @ArchTest
    static final ArchRule exportsAreData = onlyKnows(
                    "org.fleetgrad.onnx..",
                    "org.fleetgrad.datasets..",
                    "org.fleetgrad.networks..",
                    "org.fleetgrad.protocol..",
                    "com.google.protobuf..")
            .because("a file is written without an engine; what compares it with one has both");

    @ArchTest
    static final ArchRule onlyExportsAndGrpcKnowProtobuf = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.fleetgrad.onnx.file..",
                    "org.fleetgrad.openinference..",
                    "org.fleetgrad.inference.grpc..",
                    "org.fleetgrad.load.open..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.protobuf..", "io.grpc..", "io.netty..")
            .because("one format of a file is protobuf's, and one protocol, which a service must not load unasked");

    @ArchTest
    static final ArchRule onlyTheEvaluatorKnowsOnnxruntime = noClasses()
            .that()
            .resideOutsideOfPackage("org.fleetgrad.evaluator.export..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("ai.onnxruntime..")
            .because("it is a second engine, with which exports are compared, and no image carries it");

    @ArchTest
    static final ArchRule protocolIsPureJdk = onlyKnows("org.fleetgrad.protocol..", "org.fleetgrad.files.text..")
            .because("the contract must cost nobody a library; printable text is itself pure JDK");

    @ArchTest
    static final ArchRule optimIsPureJdk =
            onlyKnows("org.fleetgrad.optim..").because("the arithmetic depends on nothing");

    @ArchTest
    static final ArchRule pipelineKnowsNoEngineAndNoServer = onlyKnows(
                    "org.fleetgrad.pipeline..",
                    "javax.crypto..",
                    "org.fleetgrad.optim..",
                    "org.fleetgrad.networks..",
                    "org.fleetgrad.protocol..",
                    "org.fleetgrad.files..")
            .because("schedules and cures are the same on any engine and over any carrier");

    @ArchTest
    static final ArchRule filesIsPureJdk = onlyKnows("org.fleetgrad.files..", "javax.net.ssl..")
            .because("everything may use it, the worker too, which must stay small");

    @ArchTest
    static final ArchRule accessIsFreeOfHttpFrameworks = onlyKnows(
                    "org.fleetgrad.access..",
                    "com.nimbusds..",
                    "org.fleetgrad.protocol..",
                    "org.fleetgrad.files.text..")
            .because("who may call is decided by data");

    @ArchTest
    static final ArchRule defenceOfHttpIsFreeOfSpring = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..")
            .orShould()
            .dependOnClassesThat(resideInAPackage("org.fleetgrad..")
                    .and(resideOutsideOfPackages(
                            "org.fleetgrad.http..", "org.fleetgrad.access..", "org.fleetgrad.protocol..")))
            .because("a worker's server must start in a moment, and Jetty's handlers run before Spring");

    @ArchTest
    static final ArchRule smallServerIsOfTheJdk = neverKnows(
                    "org.fleetgrad.http.server..", "jakarta..", "org.eclipse.jetty..")
            .because("a worker has neither servlets nor Jetty");

    @ArchTest
    static final ArchRule onlyServicesKnowAccess = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.fleetgrad.access..",
                    "org.fleetgrad.http..",
                    "org.fleetgrad.web..",
                    "org.fleetgrad.ps..",
                    "org.fleetgrad.inference..",
                    "org.fleetgrad.worker.colocated..",
                    "org.fleetgrad.ensemble..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.fleetgrad.access..", "com.nimbusds..")
            .because("a client shows keys and tokens, and never checks any");

    @ArchTest
    static final ArchRule openwhiskKnowsJacksonAndFilesOnly = onlyKnows(
                    "org.fleetgrad.openwhisk..", "javax.net.ssl..", "tools.jackson..", "org.fleetgrad.files..")
            .because("it knows OpenWhisk, and nothing of training");

    @ArchTest
    static final ArchRule clientOfOpenWhiskDoesNotKnowItsPacing = neverKnows(
                    "org.fleetgrad.openwhisk", "org.fleetgrad.openwhisk.pacing")
            .because("a call is one call; what repeats it is above");

    @ArchTest
    static final ArchRule onlyStoresKnowTheirSdk = noClasses()
            .that()
            .resideOutsideOfPackage("org.fleetgrad.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.minio..", "okhttp3..")
            .because("an object is an object, wherever it lies");

    @ArchTest
    static final ArchRule onlySvhnKnowsMatlab = noClasses()
            .that()
            .resideOutsideOfPackage("org.fleetgrad.datasets.svhn..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("us.hebi.matlab..")
            .because("one dataset is published in MATLAB's format");

    @ArchTest
    static final ArchRule storesKnowFilesOnly = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.store..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.fleetgrad..")
                    .and(resideOutsideOfPackages("org.fleetgrad.store..", "org.fleetgrad.files..")))
            .because("arrows point from checkpoints to stores to files");

    @ArchTest
    static final ArchRule checkpointsKnowTheContractAndStoresOnly = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.checkpoints..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.fleetgrad..")
                    .and(resideOutsideOfPackages(
                            "org.fleetgrad.checkpoints..",
                            "org.fleetgrad.store..",
                            "org.fleetgrad.files..",
                            "org.fleetgrad.protocol..")))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..")
            .because("server and command line share them");

    /** The packages of ps-service that know Spring; every other one is a feature, also one that is added later. */
    private static final String[] SPRING_SIDE_OF_PS_SERVICE = {
        "org.fleetgrad.ps", "org.fleetgrad.ps.web..", "org.fleetgrad.ps.wiring.."
    };

    @ArchTest
    static final ArchRule featuresOfPsServiceAreFreeOfSpring = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.ps..")
            .and()
            .resideOutsideOfPackages(SPRING_SIDE_OF_PS_SERVICE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(SPRING_SIDE_OF_PS_SERVICE)
            .because("only web and the wiring know Spring, and features never know web");

    @ArchTest
    static final ArchRule webOfPsServiceDoesNotKnowTheWiring = neverKnows(
                    "org.fleetgrad.ps.web..", "org.fleetgrad.ps.wiring..", "org.fleetgrad.ps.durability..")
            .because("a route uses the training, however it is made and kept");

    @ArchTest
    static final ArchRule onlyTheApplierOfPsServiceChangesARun = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.ps..")
            .and()
            .resideOutsideOfPackages("org.fleetgrad.ps.run..", "org.fleetgrad.ps.training..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.fleetgrad.ps.run.Run")
            .because("every change of a run goes through the applier");

    @ArchTest
    static final ArchRule servingKnowsNoServer = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.serving..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.fleetgrad..")
                    .and(resideOutsideOfPackages(
                            "org.fleetgrad.serving..",
                            "org.fleetgrad.datasets..",
                            "org.fleetgrad.libtorch..",
                            "org.fleetgrad.networks..",
                            "org.fleetgrad.protocol..")))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..")
            .because("the inference API and the worker answer with it, each over its own HTTP");

    @ArchTest
    static final ArchRule followingKnowsNoFramework = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.following..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..", "io.micrometer..")
            .because("any program may follow a parameter server");

    @ArchTest
    static final ArchRule featuresOfInferenceAreFreeOfSpring = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.fleetgrad.inference.evaluation..",
                    "org.fleetgrad.inference.prediction..",
                    "org.fleetgrad.inference.infer..",
                    "org.fleetgrad.inference.completion..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..", "org.fleetgrad.inference.web..")
            .because("only web and the wiring know Spring, and features never know web");

    @ArchTest
    static final ArchRule programsAndTheirCommandsAreLeaves = noClasses()
            .that()
            .resideOutsideOfPackages(PROGRAMS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(PROGRAMS)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..")
            .because("arrows point from programs to libraries, and a Java program calls these without a command line");

    @ArchTest
    static final ArchRule programsDoNotKnowEachOther = slices().matching(
                    "org.fleetgrad.(ps|worker|tools|inference|evaluator|cli)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(resideInAPackage("org.fleetgrad.cli"), resideInAPackage("org.fleetgrad.tools.."))
            .because("programs meet over HTTP only; the one command line has the commands of dataset-tools as its own");

    @ArchTest
    static final ArchRule onlyTheServicesAndTheStarterKnowSpring = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.fleetgrad.ps..", "org.fleetgrad.inference..", "org.fleetgrad.web..", "org.fleetgrad.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..")
            .because("a worker must fit 256 MB and start cold in a second, and a library must run in any program");

    @ArchTest
    static final ArchRule onlyTheJavaKindKnowsGson = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad..")
            .and()
            .resideOutsideOfPackages("org.fleetgrad.worker.openwhisk..", "org.fleetgrad.worker.javakind..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.google.gson..")
            .because("JSON is Jackson's here; Gson is what OpenWhisk's Java kind speaks");

    @ArchTest
    static final ArchRule theJarDoesNotKnowItsRuntime = noClasses()
            .that()
            .resideInAPackage("org.fleetgrad.worker.openwhisk..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.fleetgrad.worker.javakind..")
            .orShould()
            .callMethod(System.class, "exit", int.class)
            .because("it also runs under Apache's");

    @ArchTest
    static final ArchRule workerHasNoStores = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.fleetgrad.worker..",
                    "org.fleetgrad.datasets..",
                    "org.fleetgrad.networks..",
                    "org.fleetgrad.libtorch..",
                    "org.fleetgrad.serving..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.fleetgrad.store..", "org.fleetgrad.checkpoints..")
            .because("it reads shards by their addresses, and must not carry an SDK");

    @ArchTest
    static final ArchRule packagesOfPsServiceAreFreeOfCycles = slices().matching("org.fleetgrad.ps.(**)")
            .should()
            .beFreeOfCycles()
            .because("here a package within a package is one of its own");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles = slices().matching("org.fleetgrad.(*).(*)..")
            .should()
            .beFreeOfCycles()
            .because("a cycle is one package that was cut in two");

    @ArchTest
    static final ArchRule namesSayWhatThingsAre = noClasses()
            .that()
            // What protoc generates has its own names.
            .resideOutsideOfPackage("org.fleetgrad.openinference..")
            .should()
            .haveNameMatching(".*(Impl|Manager|Helper|Utils?|Base)")
            .because("such a name says nothing");

    @ArchTest
    static final ArchRule noFieldInjection = noFields()
            .should()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
            .because("what a class needs stands in its constructor");

    @ArchTest
    static final ArchRule noOldDates = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Date")
            .because("java.time says what it means");
}
