package dev.millrace.jobs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of the house that the compiler can't see. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("dev.millrace");

    @Test
    void udfsArePureJava() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.udfs..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java..",
                        "javax.xml.stream..",
                        "dev.millrace.udfs..",
                        "com.fasterxml.jackson.annotation..")
                .because(
                        "decisions are pure functions; move I/O to backends and Flink to operators")
                .check(CLASSES);
    }

    @Test
    void udfsHaveNoClockAndNoRandomness() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.udfs..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callConstructor(java.util.Random.class)
                .because(
                        "the same events must always give the same decision; pass times and seeds"
                                + " in")
                .check(CLASSES);
    }

    @Test
    void backendsKnowNoFlink() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.backends..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.flink..",
                        "dev.millrace.operators..",
                        "dev.millrace.pipeline..",
                        "dev.millrace.jobs..")
                .because("adapters must be usable, and tested, without a cluster")
                .check(CLASSES);
    }

    @Test
    void operatorsSeeOnlyPorts() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.operators..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.backends.bubblewrap..",
                        "dev.millrace.backends.docker..",
                        "dev.millrace.backends.modal..",
                        "dev.millrace.backends.embedded..",
                        "dev.millrace.backends.harbor..",
                        "dev.millrace.backends.rollout..",
                        "dev.millrace.backends.grading..",
                        "dev.millrace.pipeline..",
                        "dev.millrace.jobs..")
                .because(
                        "an operator runs with any adapter; take a port, and choose the adapter in"
                                + " pipeline")
                .check(CLASSES);
    }

    @Test
    void theModelHoldsOnlyPublicRecordsAndEnums() {
        classes()
                .that()
                .resideInAPackage("dev.millrace.udfs.model")
                .and()
                .haveSimpleNameNotEndingWith("package-info")
                .should()
                .haveModifier(JavaModifier.PUBLIC)
                .andShould()
                .haveModifier(JavaModifier.FINAL)
                .because("they are on the wire and in state; behaviour belongs elsewhere in udfs")
                .check(CLASSES);
    }

    @Test
    void namesSaySomething() {
        noClasses()
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl|Misc|Common)$")
                .because("a name says what a thing is for")
                .check(CLASSES);
    }
}
