package dev.millrace.backends.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sandbox on an overlay has changed, read from outside: the uppermost folder of the overlay,
 * with the marks that stand for what is gone. The sandbox's own programs have no part in it.
 */
final class UpperArchive implements LayerArchive.Source {
    /** Options of {@code tar} for folders that hide those below them. */
    static final List<String> MARKS = List.of("--xattrs", "--xattrs-include=user.overlay.opaque");

    private final Slot slot;
    private final long most;

    /**
     * @param most bytes of the archive
     */
    UpperArchive(Slot slot, long most) {
        this.slot = slot;
        this.most = most;
    }

    @Override
    public boolean writeTo(OutputStream archive) throws IOException {
        long monitor =
                slot.monitor().orElseThrow(() -> new IOException("the sandbox is gone")).pid();
        List<String> command = new ArrayList<>(List.of("tar", "-c"));
        command.addAll(MARKS);
        command.addAll(List.of("-C", "/proc/" + monitor + "/root" + LayeredCommand.UPPER));
        command.addAll(List.of("-f", "-", "."));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD).environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        Process tar = builder.start();
        try (InputStream content = tar.getInputStream()) {
            tar.getOutputStream().close();
            return copy(content, archive) && tar.waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            tar.destroyForcibly();
        }
    }

    private boolean copy(InputStream content, OutputStream archive) throws IOException {
        byte[] buffer = new byte[64 << 10];
        long bytes = 0;
        int read;
        while ((read = content.read(buffer)) >= 0) {
            bytes += read;
            if (bytes > most) {
                return false;
            }
            archive.write(buffer, 0, read);
        }
        return true;
    }
}
