package dev.millrace.backends.rollout;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.SandboxFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Workspaces as bytes: the same files always give the same bytes. */
public final class WorkspaceCodec {
    private static final ObjectMapper JSON = new ObjectMapper();

    private WorkspaceCodec() {}

    /** Files in order of their path, gzipped JSON. */
    public static byte[] encode(List<SandboxFile> files) throws IOException {
        List<SandboxFile> sorted =
                files.stream().sorted(Comparator.comparing(SandboxFile::path)).toList();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(JSON.writeValueAsBytes(sorted));
        }
        return bytes.toByteArray();
    }

    /** The files back. */
    public static List<SandboxFile> decode(byte[] content) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
            return List.of(JSON.readValue(in.readAllBytes(), SandboxFile[].class));
        }
    }
}
