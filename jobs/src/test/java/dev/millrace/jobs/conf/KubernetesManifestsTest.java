package dev.millrace.jobs.conf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The manifests against the schema that the Flink Kubernetes operator publishes. */
class KubernetesManifestsTest {
    private static final Path FOLDER = Path.of("../flink-conf/kubernetes");
    private static final String DEFINITION =
            "/META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";

    @Test
    void theDeploymentFitsTheOperatorsSchema() throws Exception {
        ResourceSchema schema = ResourceSchema.read(DEFINITION, "v1beta1");
        JsonNode manifest = manifest("millrace.yaml");
        // The schema at hand lists the versions up to its own date.
        List<String> faults = new ArrayList<>(schema.faults(manifest));
        faults.removeIf(fault -> fault.startsWith("/spec/flinkVersion is \"v2_3\""));
        assertThat(faults).isEmpty();
        assertThat(manifest.at("/spec/flinkVersion").asText()).isEqualTo("v2_3");

        ObjectNode spec = (ObjectNode) manifest.path("spec");
        spec.put("upgradMode", "savepoint");
        spec.putObject("job").put("parallelism", "eight");
        assertThat(schema.faults(manifest))
                .anyMatch(fault -> fault.startsWith("/spec/upgradMode is unknown"))
                .anyMatch(fault -> fault.startsWith("/spec/job/parallelism is no integer"));
    }

    @Test
    void theTrainerHasAMachineOfItsOwn() throws Exception {
        JsonNode rollout = manifest("millrace.yaml");
        JsonNode gpu = manifest("taskmanager-gpu.yaml");
        assertThat(rollout.at("/spec/job/upgradeMode").asText()).isEqualTo("savepoint");
        assertThat(rollout.at("/spec/flinkConfiguration/high-availability.type").asText())
                .isEqualTo("kubernetes");
        assertThat(rollout.at("/spec/taskManager/podTemplate/spec/nodeSelector").toString())
                .contains("rollout");
        JsonNode pod = gpu.at("/spec/template/spec");
        assertThat(pod.path("nodeSelector").toString()).contains("B300");
        assertThat(pod.at("/containers/0/resources/limits").has("nvidia.com/gpu")).isTrue();
        assertThat(gpu.at("/spec/selector/matchLabels"))
                .isEqualTo(gpu.at("/spec/template/metadata/labels"));
    }

    private static JsonNode manifest(String name) throws IOException {
        return new YAMLMapper().readTree(FOLDER.resolve(name).toFile());
    }
}
