package org.fleetgrad.worker.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fleetgrad.worker.action.RunParameters;
import org.fleetgrad.worker.standalone.WorkerCommand.Help;
import org.fleetgrad.worker.standalone.WorkerCommand.Run;
import org.fleetgrad.worker.standalone.WorkerCommand.Serve;
import org.fleetgrad.worker.standalone.WorkerCommand.Wrong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class WorkerCommandTest {

    private static JsonNode body(String json) {
        WorkerCommand command = WorkerCommand.of(List.of("run", json));
        assertThat(command).isInstanceOf(Run.class);
        return ((Run) command).body();
    }

    @Test
    void shouldServeWithoutArguments() {
        assertThat(WorkerCommand.of(List.of())).isEqualTo(new Serve());
    }

    @Test
    void shouldTrainOnTheServersShardsOneAnActivation() {
        JsonNode body = body("{\"apihost\":\"http://ps-service:29500\",\"seed\":3}");

        RunParameters parameters = RunParameters.parse(body);
        assertThat(parameters.datasetUrl()).isEmpty();
        assertThat(parameters.shardLimit()).isEqualTo(1);
        assertThat(parameters.learning().seed()).isEqualTo(3);
    }

    @Test
    void shouldTakeWhatIsStated() {
        assertThat(RunParameters.parse(body("{\"apihost\":\"a\",\"shard_n\":5}"))
                        .shardLimit())
                .isEqualTo(5);
        assertThat(RunParameters.parse(body("{\"apihost\":\"a\",\"dataset_url\":\"/shard\"}"))
                        .datasetUrl())
                .contains("/shard");
    }

    @Test
    void shouldTakeOptionsOfServingInPlaceOfVariables() {
        WorkerCommand command =
                WorkerCommand.of(List.of("run", "--serve", "29700", "--serve-mode", "live", "{\"apihost\":\"a\"}"));

        assertThat(command)
                .isInstanceOfSatisfying(
                        Run.class,
                        run -> assertThat(run.settings())
                                .isEqualTo(Map.of("WORKER_SERVE", "29700", "WORKER_SERVE_MODE", "live")));
    }

    @Test
    void shouldHelp() {
        assertThat(WorkerCommand.of(List.of("--help"))).isEqualTo(new Help());
        assertThat(WorkerCommand.of(List.of("-h"))).isEqualTo(new Help());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            train|the arguments are none, or: run [--serve PORT] JSON; there are 1
            run|the arguments are none, or: run [--serve PORT] JSON; there are 1
            run {"apihost":"a"} more|the arguments are none, or: run [--serve PORT] JSON; there are 3
            serve {"apihost":"a"}|the arguments are none, or: run [--serve PORT] JSON; there are 2
            run --serve {"apihost":"a"}|the arguments are none, or: run [--serve PORT] JSON; there are 3
            run --port 1 {"apihost":"a"}|the arguments are none, or: run [--serve PORT] JSON; there are 4
            run []|the parameters must be a JSON object, such as {"apihost":"http://ps-service:29500"}
            run {}|the parameter apihost is missing
            run {"apihost":"ftp://a"}|apihost must be like http://host:29500; it is 'ftp://a'
            run {"apihost":"a","shards":"all"}|shards must be "queue", or be left out and dataset_url given; it is "all"
            """)
    void shouldSayWhatIsWrong(String arguments, String message) {
        assertThat(WorkerCommand.of(List.of(arguments.split(" ")))).isEqualTo(new Wrong(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {"apihost", "{\"apihost\":", "{\"apihost\":\"a\"}{}"})
    void shouldRefuseWhatIsNoJson(String json) {
        assertThat(WorkerCommand.of(List.of("run", json)))
                .isInstanceOfSatisfying(
                        Wrong.class, wrong -> assertThat(wrong.message()).startsWith("the parameters are not JSON: "));
    }
}
