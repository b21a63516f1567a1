package org.fleetgrad.simulation.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.ps.PsProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Reads the settings of a server as ps-service does. */
public final class ServerSettings {

    private static final Map<Map<String, String>, PsProperties> BOUND = new ConcurrentHashMap<>();

    private ServerSettings() {}

    /** Binds settings such as {@code ps.mode}. Many worlds have the same. */
    public static PsProperties of(Map<String, String> settings) {
        return BOUND.computeIfAbsent(settings, ServerSettings::bind);
    }

    private static PsProperties bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("ps", PsProperties.class);
    }
}
