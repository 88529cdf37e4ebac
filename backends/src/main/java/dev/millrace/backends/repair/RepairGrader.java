package dev.millrace.backends.repair;

import dev.millrace.backends.harbor.HarborEnvironment;
import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborVerifier;
import dev.millrace.backends.harbor.Verdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxProvider;
import java.util.List;

/** Judges repairs by their tests' output, and all other tasks by their own test scripts. */
public final class RepairGrader implements HarborEnvironment.Grader {
    private final RepairVerifier repairs;
    private final HarborVerifier scripts;

    /** Sandboxes come from the provider. */
    public RepairGrader(SandboxProvider provider) {
        this.repairs = new RepairVerifier(provider);
        this.scripts = new HarborVerifier(provider);
    }

    @Override
    public Verdict grade(HarborTask task, List<SandboxFile> workspace, Lease lease) {
        return RepairSpec.concerns(task)
                ? repairs.gradeWorkspace(task, workspace, lease).verdict()
                : scripts.grade(task, workspace, lease);
    }
}
