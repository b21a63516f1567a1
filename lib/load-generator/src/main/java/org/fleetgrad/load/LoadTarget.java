package org.fleetgrad.load;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.files.pem.PemTrust;
import org.fleetgrad.files.text.ShownAddress;
import org.fleetgrad.load.open.OpenTarget;
import org.fleetgrad.load.open.OpenTarget.Opened;
import org.fleetgrad.load.open.OpenTarget.Trust;
import org.fleetgrad.load.question.HttpPredictClient;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.load.question.PredictResponseReader;
import org.fleetgrad.load.question.RotatingPredictClient;

/** The servers to which a load sends requests. */
public final class LoadTarget {

    private static final String PREDICT = "/predict";

    private final List<URI> urls;
    private final Duration timeout;
    private final Optional<Trust> trust;
    private final Map<URI, ServiceToken> tokens = new HashMap<>();

    private LoadTarget(List<URI> urls, Duration timeout, Optional<Trust> trust) {
        this.urls = urls;
        this.timeout = timeout;
        this.trust = trust;
    }

    /**
     * Reads the addresses of inference APIs.
     *
     * @param urls    such as {@code http://host:29600}; each client calls them round-robin
     * @param timeout timeout of a connection attempt, and of each read of a response
     * @param trust   a PEM file of the certificates to trust; empty for the JDK's
     * @throws IllegalArgumentException if an address or the file is wrong; the message names it
     */
    public static LoadTarget of(List<String> urls, Duration timeout, String trust) {
        if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("--timeout must be from 1ms to 1h; it is " + timeout);
        }
        return new LoadTarget(
                urls.stream().map(LoadTarget::predictions).toList(),
                timeout,
                trust.isEmpty() ? Optional.empty() : Optional.of(new Trust(trust, PemTrust.context(Path.of(trust)))));
    }

    /** Reads the addresses, with the keys and the trust of the environment's variables. */
    public static LoadTarget ofEnvironment(List<String> urls, Duration timeout, Map<String, String> environment) {
        LoadTarget target = of(urls, timeout, environment.getOrDefault(ClientOptions.TRUST, ""));
        ClientOptions options = ClientOptions.DEFAULT.withEnvironment(environment);
        for (URI url : target.urls) {
            ServiceToken.of(url.resolve("."), options).ifPresent(token -> target.tokens.put(url, token));
        }
        return target;
    }

    /**
     * Returns the same servers with tokens of one service: a port of gRPC issues none.
     *
     * @throws IllegalArgumentException if the address is wrong
     */
    public LoadTarget withTokensOf(String service, Map<String, String> environment) {
        LoadTarget target = new LoadTarget(urls, timeout, trust);
        Optional<ServiceToken> token = ServiceToken.of(
                address("--token-url", service).resolve("."), ClientOptions.DEFAULT.withEnvironment(environment));
        token.ifPresent(one -> urls.forEach(url -> target.tokens.put(url, one)));
        return target;
    }

    /** A base address, or that of the predictions themselves. */
    private static URI predictions(String text) {
        return address("--url", text);
    }

    private static URI address(String option, String text) {
        try {
            URI uri = new URI(text.strip());
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawUserInfo() == null) {
                String path = uri.getRawPath().replaceFirst("/+$", "");
                return uri.resolve(path.endsWith(PREDICT) ? path : path + PREDICT);
            }
        } catch (URISyntaxException malformed) {
            // Falls through: the message below is the same for every wrong address.
        }
        throw new IllegalArgumentException(
                "%s must be like http://host:29600; it is '%s'".formatted(option, ShownAddress.of(text)));
    }

    /** Returns the factory of the clients' connections, for bodies of this media type. */
    public IntFunction<PredictClient> predictClients(String mediaType) {
        return client -> {
            List<PredictClient> each = urls.stream()
                    .map(url -> (PredictClient) new HttpPredictClient(
                            url, mediaType, timeout, trust.map(Trust::context), Optional.ofNullable(tokens.get(url))))
                    .toList();
            return each.size() == 1 ? each.get(0) : new RotatingPredictClient(each, client);
        };
    }

    /**
     * Returns what is asked, and the connections over which it is. The Open Inference Protocol begins with the metadata of a model.
     *
     * @param model its name; unused with {@link LoadProtocol#PREDICT}
     * @throws IOException              if the server does not answer
     * @throws IllegalArgumentException if the model takes other samples
     */
    public Opened open(LoadProtocol protocol, LoadRequests requests, String model) throws IOException {
        if (protocol == LoadProtocol.PREDICT) {
            return new Opened(new PredictResponseReader(requests), predictClients(requests.mediaType()));
        }
        Map<URI, ServiceToken> byBase = new HashMap<>();
        tokens.forEach((url, token) -> byBase.put(url.resolve("."), token));
        OpenTarget target = new OpenTarget(
                urls.stream().map(url -> url.resolve(".")).toList(),
                model,
                timeout,
                trust,
                url -> Optional.ofNullable(byBase.get(url)));
        return protocol == LoadProtocol.V2 ? target.rest(requests) : target.grpc(requests);
    }

    /** Explains to the user why the first connection failed. */
    public String explain(IOException failed) {
        return "%s cannot be reached: %s; start an inference API there, or correct --url"
                .formatted(
                        String.join(", ", urls.stream().map(URI::toString).toList()),
                        failed.getMessage() == null ? failed.toString() : failed.getMessage());
    }
}
