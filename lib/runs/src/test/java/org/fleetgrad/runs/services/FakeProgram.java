package org.fleetgrad.runs.services;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A fake service: listens on its port, reports it, and responds with the name of the run that started it. A run of a worker is answered
 * with what was asked, and with the libtorch that the worker would load.
 */
public final class FakeProgram {

    private FakeProgram() {}

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(
                System.getenv().getOrDefault("SERVER_PORT", System.getenv().getOrDefault("WORKER_PORT", "0")));
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException taken) {
            System.err.println("Web server failed to start. Port %d was already in use.".formatted(port));
            System.exit(1);
            return;
        }
        byte[] answer = "{\"code\":200,\"version\":0,\"generation\":\"%s\",\"initialized\":false}"
                .formatted(System.getenv("RUN"))
                .getBytes(StandardCharsets.UTF_8);
        server.createContext("/run", exchange -> {
            String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] told = "{\"asked\":%s,\"library\":\"%s\"}"
                    .formatted(asked, System.getenv("PYTORCH_LIBRARY_PATH"))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, told.length);
            exchange.getResponseBody().write(told);
            exchange.close();
        });
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        Files.writeString(
                Path.of(System.getenv("FLEETGRAD_PORT_FILE")),
                Integer.toString(server.getAddress().getPort()));
    }

    /** Builds the jar of a module's program in a checkout. */
    public static void buildInto(Path home, String module) throws IOException {
        Path jar = home.resolve(module).resolve("target").resolve(module + ".jar");
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeProgram.class.getName());
        String file = FakeProgram.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                var bytes = FakeProgram.class.getClassLoader().getResourceAsStream(file)) {
            entries.putNextEntry(new JarEntry(file));
            bytes.transferTo(entries);
            entries.closeEntry();
        }
    }
}
