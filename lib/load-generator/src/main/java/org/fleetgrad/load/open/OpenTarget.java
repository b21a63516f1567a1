package org.fleetgrad.load.open;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.load.question.HttpPredictClient;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.question.PredictClient;
import org.fleetgrad.load.question.Questions;
import org.fleetgrad.load.question.RotatingPredictClient;
import org.fleetgrad.openinference.ModelMetadataResponse;
import org.fleetgrad.openinference.ModelMetadataResponse.TensorMetadata;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Servers of the Open Inference Protocol, Fleetgrad's or others: they are asked for their metadata, and for nothing else that is not of the
 * protocol.
 *
 * @param urls    of the servers, which serve the same model
 * @param model   its name
 * @param timeout of a connection attempt, and of a response
 * @param trust   a PEM file of the certificates to trust, and their context; absent for the JDK's
 * @param token   for a server's address, if it has keys
 */
public record OpenTarget(
        List<URI> urls,
        String model,
        Duration timeout,
        Optional<Trust> trust,
        Function<URI, Optional<ServiceToken>> token) {

    private static final String OCTETS = "application/octet-stream";
    private static final String HEAD_LENGTH = "Inference-Header-Content-Length";
    private static final int OK = 200;

    /** Certificates to trust. */
    public record Trust(String file, SSLContext context) {}

    public OpenTarget {
        urls = List.copyOf(urls);
    }

    /** What is asked, and over which connections. */
    public record Opened(Questions questions, IntFunction<PredictClient> clients) {}

    /**
     * Asks the first server what the model takes, over REST.
     *
     * @throws IOException              if it does not say
     * @throws IllegalArgumentException if the model takes other samples; the message says what it takes
     */
    public Opened rest(LoadRequests requests) throws IOException {
        RestQuestions questions = new RestQuestions(requests, restModel());
        Map<String, String> headers = Map.of(HEAD_LENGTH, Integer.toString(questions.headLength()));
        return new Opened(
                questions,
                clients(url -> new HttpPredictClient(
                        model(url, "/infer"), OCTETS, headers, timeout, trust.map(Trust::context), token.apply(url))));
    }

    /** Does the same over gRPC. */
    public Opened grpc(LoadRequests requests) throws IOException {
        try (GrpcPredictClient client = grpcClient(urls.get(0))) {
            ModelMetadataResponse metadata = client.metadata(model);
            OpenModel open = OpenModel.of(model, tensors(metadata.getInputsList()), tensors(metadata.getOutputsList()));
            return new Opened(new GrpcQuestions(requests, open), clients(this::grpcClient));
        }
    }

    private GrpcPredictClient grpcClient(URI url) {
        return new GrpcPredictClient(url, timeout, trust.map(Trust::file).orElse(""), token.apply(url));
    }

    private static List<OpenModel.Tensor> tensors(List<TensorMetadata> tensors) {
        return tensors.stream()
                .map(each -> new OpenModel.Tensor(each.getName(), each.getDatatype(), each.getShapeList()))
                .toList();
    }

    private IntFunction<PredictClient> clients(Function<URI, ? extends PredictClient> each) {
        return client -> {
            List<? extends PredictClient> all = urls.stream().map(each).toList();
            return all.size() == 1 ? all.get(0) : new RotatingPredictClient(all, client);
        };
    }

    private URI model(URI url, String path) {
        String base = url.getRawPath().replaceFirst("/+$", "");
        return url.resolve(base + "/v2/models/" + model + path);
    }

    private OpenModel restModel() throws IOException {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(timeout);
        trust.ifPresent(own -> client.sslContext(own.context()));
        URI url = urls.get(0);
        HttpRequest.Builder request = HttpRequest.newBuilder(model(url, "")).timeout(timeout);
        Optional<ServiceToken> own = token.apply(url);
        if (own.isPresent()) {
            own.get().authorization().ifPresent(header -> request.header("Authorization", header));
        }
        try {
            HttpResponse<byte[]> response =
                    client.build().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != OK) {
                throw new IOException("it answers %s with %d".formatted(model(url, ""), response.statusCode()));
            }
            JsonNode metadata = JsonMapper.shared().readTree(response.body());
            return OpenModel.of(model, tensors(metadata.path("inputs")), tensors(metadata.path("outputs")));
        } catch (JacksonException malformed) {
            throw new IOException("it answers %s with no JSON".formatted(model(url, "")), malformed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    private static List<OpenModel.Tensor> tensors(JsonNode array) {
        List<OpenModel.Tensor> tensors = new ArrayList<>();
        for (JsonNode each : array) {
            List<Long> shape = new ArrayList<>();
            each.path("shape").forEach(size -> shape.add(size.asLong(0)));
            tensors.add(new OpenModel.Tensor(
                    each.path("name").asString(""), each.path("datatype").asString(""), shape));
        }
        return tensors;
    }
}
