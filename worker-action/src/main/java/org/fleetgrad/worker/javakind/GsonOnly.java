package org.fleetgrad.worker.javakind;

import org.jspecify.annotations.Nullable;

/** Shows of the runtime's class path only Gson, whose objects an action takes and returns. Thread-safe. */
final class GsonOnly extends ClassLoader {

    private static final String GSON = "com.google.gson.";

    private final ClassLoader runtime;

    GsonOnly(ClassLoader runtime) {
        super("gson-only", ClassLoader.getPlatformClassLoader());
        this.runtime = runtime;
    }

    @Override
    protected @Nullable Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith(GSON)) {
            return runtime.loadClass(name);
        }
        throw new ClassNotFoundException(name);
    }
}
