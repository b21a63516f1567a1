package org.fleetgrad.web;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.springframework.aot.AotDetector;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/**
 * Starts a service with the bean definitions that its build generated (Spring's AOT processing, ADR 54), which takes a quarter less of
 * a processor than to find them.
 *
 * <p>Generated definitions are those of the conditions at the build. If the user states a setting that a condition of Spring Boot's may
 * read, or the JVM has virtual threads and the build's had none, the service finds its beans as it does without them. {@code
 * -Dspring.aot.enabled=false} has the same effect.
 */
public final class GeneratedBeans implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    private static final String SUFFIX = "__ApplicationContextInitializer";

    /** Settings of Spring Boot's, which conditions read. */
    private static final List<ConfigurationPropertyName> OF_CONDITIONS =
            List.of(name("spring"), name("management"), name("server"));

    /** Those of them that no condition reads. */
    private static final List<ConfigurationPropertyName> FREE = List.of(
            name("server.port"),
            name("server.address"),
            name("server.ssl"),
            name("server.jetty"),
            name("server.shutdown"));

    /** What each program states itself: its settings in the jar, its name and its process. */
    private static final List<String> OWN_SOURCES =
            List.of("Config resource 'class path resource [application.yaml]'", "applicationInfo");

    private static final int WITH_VIRTUAL_THREADS = 21;

    /** Returns whether this is no start, but the build's: it generates bean definitions and makes no bean. */
    public static boolean areGenerated() {
        return Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING);
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        Class<?> application = event.getSpringApplication().getMainApplicationClass();
        if (application != null
                && System.getProperty(AotDetector.AOT_ENABLED) == null
                && ClassUtils.isPresent(application.getName() + SUFFIX, application.getClassLoader())
                && decidesNoCondition(event.getEnvironment())
                && fits(Runtime.version().feature(), builtWith(application))) {
            System.setProperty(AotDetector.AOT_ENABLED, "true");
        }
    }

    /** Whether no setting but the program's own is one that a condition may read. */
    static boolean decidesNoCondition(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource settings
                    && !isOwn(source)
                    && settings.stream().anyMatch(GeneratedBeans::isOfConditions)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOwn(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> settings
                && OWN_SOURCES.stream().anyMatch(settings.getName()::startsWith);
    }

    private static boolean isOfConditions(ConfigurationPropertyName setting) {
        return OF_CONDITIONS.stream().anyMatch(each -> each.isAncestorOf(setting))
                && FREE.stream().noneMatch(each -> each.equals(setting) || each.isAncestorOf(setting));
    }

    /** Whether a JVM would decide about virtual threads as the build's JVM has decided. */
    static boolean fits(int running, int built) {
        return running >= WITH_VIRTUAL_THREADS == built >= WITH_VIRTUAL_THREADS;
    }

    /** Returns the feature release of the JVM that built the jar, or 0 if the classes are in none. */
    private static int builtWith(Class<?> application) {
        CodeSource source = application.getProtectionDomain().getCodeSource();
        if (source == null) {
            return 0;
        }
        try (JarFile jar = new JarFile(new File(source.getLocation().toURI()))) {
            Manifest manifest = jar.getManifest();
            String built =
                    manifest == null ? null : manifest.getMainAttributes().getValue("Build-Jdk-Spec");
            return built == null ? 0 : Integer.parseInt(built);
        } catch (IOException | URISyntaxException | NumberFormatException unknown) {
            return 0;
        }
    }

    private static ConfigurationPropertyName name(String name) {
        return ConfigurationPropertyName.of(name);
    }
}
