package dev.millrace.udfs.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
    private static final Map<String, ?> VALUES =
            Map.of(
                    "a",
                    "🎉bc",
                    "n",
                    3,
                    "yes",
                    true,
                    "list",
                    List.of("x", "y"),
                    "m",
                    Map.of("k", "v"));

    private static String render(String template) {
        return Template.parse("t.txt", template).render(VALUES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{{ a[:1] }}.{{ a[-1:] }}.{{ a[1:-1] }}.{{ a[5:] }} => 🎉.c.b.",
                "{{ a | length + n - 1 }} {{ list[1:] | length }} {{ m | length }} => 5 1 1",
                "{{ m.k ~ n ~ yes }} {{ yes and not n == 3 or 'else' }} => v3True else",
                "{% if n < 3 %}a{% elif n >= 3 and a is defined %}b{% else %}c{% endif %} => b",
                "{% set x = n - 5 %}{{ -x }}{{ x is defined }}{{ y is defined }} => 2TrueFalse",
                "{{ 'y' in list }} {{ 'bc' in a }} {{ n in [1, 2] }} {{ none }} => True True False"
                        + " None",
                "x {{- n -}} y {# n #} z => x3y  z",
                "{{ '%}' }}{% if '}}' != a %}{{ (a | tojson)[1:7] }}{% endif %} => %}\\ud83c"
            })
    void fillsIn(String template, String expected) {
        assertThat(render(template)).isEqualTo(expected);
    }

    @Test
    void dropsOneLineBreakAtTheEndAndReadsThoseOfOtherSystems() {
        assertThat(render("a\n\n")).isEqualTo("a\n");
        assertThat(render("a\r\nb\r")).isEqualTo("a\nb");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            value = {
                "{{ b }} => there is no value 'b'",
                "{{ m.j }} => there is no value 'j'",
                "{% if b %}{% endif %} => there is no value 'b'",
                "{{ m }} => only texts, numbers and truth values",
                "{{ a - 1 }} => expected a number",
                "{{ n[:1] }} => only texts, lists and maps have a length",
                "{{ a.b }} => only maps have a part 'b'",
                "{{ a | upper }} => no filter 'upper'",
                "{{ a is none }} => no test but 'is defined'",
                "{{ a.strip() }} => '(' is not expected here",
                "{{ a[1] }} => expected :",
                "{{ }} => a value is missing",
                "{{ a | }} => expected the name of a filter",
                "{{ a ? }} => '?' is not understood",
                "{{ a => {{ is never closed",
                "{% if a %} => the if is never closed by endif",
                "{% endif %} => 'endif' without an if",
                "{% if a %}{% else %}{% else %}{% endif %} => 'else' after else",
                "{% for x in list %}{% endfor %} => 'for' is none of if, elif, else, endif, set",
                "{% set x %} => set needs a name, = and a value",
                "{% %} => an empty block"
            })
    void saysWhereATemplateIsWrong(String template, String why) {
        assertThatThrownBy(() -> render("first line\n" + template))
                .isInstanceOf(TemplateException.class)
                .hasMessageStartingWith("t.txt, line 2: ")
                .hasMessageContaining(why);
    }

    @Test
    void refusesWhatIsNestedTooDeeply() {
        assertThatThrownBy(() -> render("{{ " + "(".repeat(60) + "n" + ")".repeat(60) + " }}"))
                .hasMessageContaining("too many parentheses");
        assertThatThrownBy(() -> render("{% if n %}".repeat(60) + "{% endif %}".repeat(60)))
                .hasMessageContaining("too many ifs");
    }

    @Test
    void findsFencesInTimeInProportionToTheText() {
        String hostile = "```x \n \n ".repeat(200_000);
        assertThat(FencedActions.find(hostile, "x")).isEmpty();
        assertThat(FencedActions.find(hostile + "\n```", "x")).hasSize(1);
    }
}
