package dev.millrace.pipeline.settings;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** All settings of a record of records, in the order of its components. */
final class SettingsSchema {
    private final Class<? extends Record> root;
    private final Map<String, SettingKey> keys = new LinkedHashMap<>();
    private final Map<String, Class<?>> sections = new LinkedHashMap<>();

    SettingsSchema(Class<? extends Record> root) {
        this.root = root;
        collect(root, "");
    }

    Optional<SettingKey> key(String path) {
        return Optional.ofNullable(keys.get(path));
    }

    boolean isSection(String path) {
        return sections.containsKey(path);
    }

    Collection<SettingKey> keys() {
        return keys.values();
    }

    Collection<String> sections() {
        return sections.keySet();
    }

    /** The root record, its values taken from the function. */
    Object build(Function<SettingKey, Object> values) {
        return build(root, "", values);
    }

    private void collect(Class<?> type, String prefix) {
        for (RecordComponent component : type.getRecordComponents()) {
            String path = prefix + component.getName();
            if (component.getType().isRecord()) {
                sections.put(path, component.getType());
                collect(component.getType(), path + ".");
            } else {
                Setting setting = component.getAnnotation(Setting.class);
                if (setting == null) {
                    throw new IllegalStateException(path + ": component has no @Setting");
                }
                keys.put(path, new SettingKey(path, component.getType(), setting));
            }
        }
    }

    private Object build(Class<?> type, String prefix, Function<SettingKey, Object> values) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String path = prefix + components[i].getName();
            SettingKey key = keys.get(path);
            arguments[i] =
                    key != null
                            ? values.apply(key)
                            : build(components[i].getType(), path + ".", values);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " can't be built", e);
        }
    }
}
