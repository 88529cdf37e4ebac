package dev.millrace.operators.topic;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The records of the model package, found by scanning, and instances of them. */
final class Records {
    private Records() {}

    static Stream<Class<?>> ofTheModel() {
        return new ClassFileImporter()
                .importPackages("dev.millrace.udfs.model").stream()
                        .filter(JavaClass::isRecord)
                        .<Class<?>>map(JavaClass::reflect);
    }

    /** Every component set. */
    static Object filled(Class<?> type) {
        return make(type, true);
    }

    /** Every reference null, every number 0. */
    static Object empty(Class<?> type) {
        return make(type, false);
    }

    private static Object make(Class<?> type, boolean fill) {
        RecordComponent[] parts = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values =
                Arrays.stream(parts)
                        .map(p -> fill || p.getType().isPrimitive() ? some(p, fill) : null)
                        .toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object some(RecordComponent part, boolean fill) {
        return fill ? value(part.getGenericType()) : zero(part.getType());
    }

    private static Object zero(Class<?> primitive) {
        return Array.get(Array.newInstance(primitive, 1), 0);
    }

    private static Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            Object element =
                    value(
                            generic.getActualTypeArguments()[
                                    generic.getActualTypeArguments().length - 1]);
            return generic.getRawType() == Map.class ? Map.of("k", element) : List.of(element);
        }
        Class<?> c = (Class<?>) type;
        if (c.isRecord()) {
            return filled(c);
        }
        if (c.isEnum()) {
            Object[] constants = c.getEnumConstants();
            return constants[constants.length - 1];
        }
        Object known = SAMPLES.get(c);
        if (known == null) {
            throw new IllegalStateException("No sample of " + c + "; add one");
        }
        return known;
    }

    private static final Map<Class<?>, Object> SAMPLES =
            Map.ofEntries(
                    Map.entry(String.class, "naïve \u2192 \"quoted\"\n"),
                    Map.entry(int.class, Integer.MIN_VALUE),
                    Map.entry(long.class, Long.MAX_VALUE),
                    Map.entry(Long.class, -1L),
                    Map.entry(double.class, 0.1 + 0.2),
                    Map.entry(Double.class, -1e-300),
                    Map.entry(boolean.class, true),
                    Map.entry(int[].class, new int[] {1, -2, 151_643}),
                    Map.entry(byte[].class, new byte[] {0, 1, -1}),
                    Map.entry(float[].class, new float[] {-0.1f, 3.4e38f, 1.4e-45f}));
}
