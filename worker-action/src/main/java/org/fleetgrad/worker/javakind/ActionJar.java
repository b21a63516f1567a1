package org.fleetgrad.worker.javakind;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
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
     * Loads a jar on top of the runtime's class path, so a small jar with a custom network is a complete action. If it contains
     * a worker that differs from the runtime's, its own worker runs: see {@link OwnWorker}.
     *
     * @param main a class, or {@code class#method}
     * @throws ClassNotFoundException if neither the jar nor the runtime has the class
     * @throws NoSuchMethodException  if the class has no such method
     */
    static ActionJar open(Path jar, String main) throws IOException, ReflectiveOperationException {
        String[] parts = main.split("#", 2);
        String method = parts.length > 1 ? parts[1] : USUAL_METHOD;
        ClassLoader runtime = ActionJar.class.getClassLoader();
        ClassLoader parent = OwnWorker.in(jar, parts[0], OwnWorker.ofThisRuntime()) ? new GsonOnly(runtime) : runtime;
        // It stays open until the process ends: a process has one action.
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent);
        Class<?> entry = loader.loadClass(parts[0]);
        if (Arrays.stream(entry.getDeclaredMethods())
                .noneMatch(each -> each.getName().equals(method))) {
            throw new NoSuchMethodException(method);
        }
        return new ActionJar(loader, entry, method);
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
}
