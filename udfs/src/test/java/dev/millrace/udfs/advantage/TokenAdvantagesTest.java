package dev.millrace.udfs.advantage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.Vectors;
import org.junit.jupiter.api.Test;

class TokenAdvantagesTest {
    @Test
    void matchesTheReference() {
        JsonNode vector = Vectors.get("tinker_token_adv");
        double[] group = GroupAdvantages.of(Vectors.doubles(vector.get("group")), true);
        double weight =
                TokenAdvantages.of(
                        group[0],
                        vector.get("kl_coef").asDouble(),
                        vector.get("old_lp").asDouble(),
                        vector.get("ref_lp").asDouble(),
                        vector.get("denominator_tokens").asLong());
        double expected = vector.get("value").asDouble();
        assertThat(weight).isEqualTo(expected, within(1e-15));
    }
}
