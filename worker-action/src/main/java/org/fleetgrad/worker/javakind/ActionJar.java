package org.fleetgrad.worker.javakind;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * An action's jar, loaded, and its entry point.
 *
 * @param loader sees the jar's classes
 * @param entry  the class of the entry point
 * @param method the name of its method
 */
record ActionJar(ClassLoader loader, Class<?> entry, String method) {

    private static final String USUAL_METHOD = "main";

    /**
     * Loads a jar on top of the runtime's class path, so a small jar with a custom network is a complete action. If it
     * contains a worker that differs from the runtime's, its own worker runs.
     *
     * @param main a class, or {@code class#method}
     * @throws ClassNotFoundException if neither the jar nor the runtime has the class
     * @throws NoSuchMethodException  if the class has no such method
     */
    static ActionJar open(Path jar, String main) throws IOException, ReflectiveOperationException {
        String[] parts = main.split("#", 2);
        String method = parts.length > 1 ? parts[1] : USUAL_METHOD;
        ClassLoader runtime = ActionJar.class.getClassLoader();
        ClassLoader parent = isOtherBuild(jar, parts[0], ofThisRuntime()) ? new GsonClassLoader(runtime) : runtime;
        // It stays open until the process ends: a process has one action.
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent);
        try {
            return new ActionJar(loader, entry(loader, parts[0], method), method);
        } catch (ReflectiveOperationException | LinkageError unusable) {
            loader.close();
            throw unusable;
        }
    }

    private static Class<?> entry(ClassLoader loader, String name, String method) throws ReflectiveOperationException {
        Class<?> entry = loader.loadClass(name);
        if (Arrays.stream(entry.getDeclaredMethods())
                .noneMatch(each -> each.getName().equals(method))) {
            throw new NoSuchMethodException(method);
        }
        return entry;
    }

    /**
     * Calls the entry point, with the jar's loader as the thread's context class loader.
     *
     * @throws InvocationTargetException    if the action threw something
     * @throws ReflectiveOperationException if there is no public static method for such a value
     */
    JsonElement invoke(@Nullable JsonElement value) throws ReflectiveOperationException {
        if (value == null) {
            throw new NullPointerException("the body has no value");
        }
        JsonElement arguments = value.isJsonObject() ? value.getAsJsonObject() : value.getAsJsonArray();
        Method called = entry.getMethod(method, arguments.getClass());
        if (!Set.<Class<?>>of(JsonObject.class, JsonArray.class).contains(called.getReturnType())
                || !Modifier.isStatic(called.getModifiers())) {
            throw new NoSuchMethodException(method);
        }
        // The class need not be public.
        called.setAccessible(true);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Object answer = called.invoke(null, arguments);
            if (answer == null) {
                throw new NullPointerException("The action returned null");
            }
            return (JsonElement) answer;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns the jar that contains this class; null if it is in a folder. */
    static @Nullable Path ofThisRuntime() {
        CodeSource source = ActionJar.class.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location != null && location.getPath().endsWith(".jar") ? new File(location.getPath()).toPath() : null;
    }

    /**
     * Returns whether {@code jar} is a worker of another build than {@code runtime}: it contains its entry point, and a
     * class that differs from the runtime's class of the same name. It must run its own classes, and none of the
     * runtime's. Any other jar uses the runtime's classes, which load faster because the image has an archive of them.
     */
    static boolean isOtherBuild(Path jar, String entry, @Nullable Path runtime) throws IOException {
        try (JarFile given = new JarFile(jar.toFile())) {
            if (runtime == null || given.getEntry(entry.replace('.', '/') + ".class") == null) {
                return false;
            }
            try (JarFile known = new JarFile(runtime.toFile())) {
                return given.stream()
                        .filter(each -> each.getName().endsWith(".class"))
                        .anyMatch(each -> differs(each, known.getEntry(each.getName())));
            }
        }
    }

    private static boolean differs(ZipEntry given, @Nullable ZipEntry known) {
        return known != null && (known.getCrc() != given.getCrc() || known.getSize() != given.getSize());
    }

    /** Exposes only Gson from the runtime's class path: an action takes and returns its objects. Thread-safe. */
    static final class GsonClassLoader extends ClassLoader {

        private static final String GSON = "com.google.gson.";

        private final ClassLoader runtime;

        GsonClassLoader(ClassLoader runtime) {
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
}
