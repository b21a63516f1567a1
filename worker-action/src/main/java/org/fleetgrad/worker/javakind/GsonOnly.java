package org.fleetgrad.worker.javakind;

import org.jspecify.annotations.Nullable;

/** Exposes only Gson from the runtime's class path: an action takes and returns its objects. Thread-safe. */
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
