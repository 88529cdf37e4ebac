package dev.millrace.jobs.conf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schema of a Kubernetes custom resource: the parts of OpenAPI that such schemas use. */
final class ResourceSchema {
    private final JsonNode schema;

    private ResourceSchema(JsonNode schema) {
        this.schema = schema;
    }

    /** Reads a CustomResourceDefinition from the class path. */
    static ResourceSchema read(String resource, String version) throws IOException {
        try (InputStream in = ResourceSchema.class.getResourceAsStream(resource)) {
            for (JsonNode each : new YAMLMapper().readTree(in).at("/spec/versions")) {
                if (each.path("name").asText().equals(version)) {
                    return new ResourceSchema(each.at("/schema/openAPIV3Schema"));
                }
            }
        }
        throw new IOException(resource + " has no version " + version);
    }

    /** What is wrong with a manifest, each with its path; what all resources have is left out. */
    List<String> faults(JsonNode manifest) {
        List<String> faults = new ArrayList<>();
        ObjectNode own = manifest.deepCopy();
        own.remove(List.of("apiVersion", "kind", "metadata"));
        check(schema, own, "", faults);
        return faults;
    }

    private static void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            return;
        }
        if (schema.has("enum") && !isOneOf(schema.path("enum"), value)) {
            faults.add(at + " is " + value + ", not one of " + schema.path("enum"));
        }
        if (!isA(schema, value)) {
            faults.add(at + " is no " + schema.path("type").asText() + ": " + value);
        } else if (value.isObject()) {
            object(schema, value, at, faults);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.path("items"), value.get(i), at + "/" + i, faults);
            }
        }
    }

    private static void object(JsonNode schema, JsonNode value, String at, List<String> faults) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                faults.add(at + " lacks " + required.asText());
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String path = at + "/" + field.getKey();
            JsonNode known = schema.path("properties").path(field.getKey());
            JsonNode any = schema.path("additionalProperties");
            if (!known.isMissingNode()) {
                check(known, field.getValue(), path, faults);
            } else if (any.isObject()) {
                check(any, field.getValue(), path, faults);
            } else if (schema.has("properties")) {
                faults.add(path + " is unknown");
            }
        }
    }

    private static boolean isA(JsonNode schema, JsonNode value) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return value.isIntegralNumber() || value.isTextual();
        }
        return switch (schema.path("type").asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
    }

    private static boolean isOneOf(JsonNode values, JsonNode value) {
        for (JsonNode each : values) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }
}
