package dev.millrace.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of the house that concern this module. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.millrace");

    @Test
    void theProductKnowsNoBench() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.millrace.bench..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.bench..")
                .because("what is measured must not know that it is")
                .check(CLASSES);
    }

    @Test
    void servicesKnowNothingOfWhatUsesThem() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.bench.sim")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.bench.sim.client..",
                        "dev.millrace.bench.soak..",
                        "dev.millrace.backends..",
                        "dev.millrace.operators..",
                        "dev.millrace.pipeline..",
                        "dev.millrace.jobs..",
                        "org.apache.flink..")
                .because("any orchestrator can be measured against them")
                .check(CLASSES);
    }

    @Test
    void theVerifierKnowsNoCountersOfTheProduct() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.bench.soak.verify..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.udfs.admission..",
                        "dev.millrace.udfs.minibatch..",
                        "dev.millrace.operators.admission..",
                        "dev.millrace.operators.minibatch..",
                        "dev.millrace.operators.train..",
                        "dev.millrace.jobs..")
                .because("a promise is not checked by whoever gave it")
                .check(CLASSES);
    }
}
