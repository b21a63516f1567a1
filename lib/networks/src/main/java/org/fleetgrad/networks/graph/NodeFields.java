package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.graph.Operand.Tensor;
import org.fleetgrad.networks.graph.Operand.Value;
import tools.jackson.databind.JsonNode;

/** The fields of a node as JSON. Each must be of its kind, and none may be left that nobody asked for. */
final class NodeFields {

    private static final int MOST = 1 << 20;
    private static final int SHOWN_CHARACTERS = 80;

    private final JsonNode json;
    private final int index;
    private final References references;
    private final List<Table> tables;
    private final Set<String> asked = new HashSet<>(Set.of("op", "in"));

    NodeFields(JsonNode json, int index, References references, List<Table> tables) {
        this.json = json;
        this.index = index;
        this.references = references;
        this.tables = tables;
    }

    /** Checks that each field was asked for. */
    void requireNoOthers() {
        json.propertyNames().stream()
                .filter(name -> !asked.contains(name))
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException("it has no field '%s'".formatted(Printable.text(other)));
                });
    }

    String text(String name) {
        JsonNode value = field(name);
        require(value.isString(), name, "a text", value);
        return value.asString();
    }

    String tensor(String name) {
        return references.tensor(text(name));
    }

    Optional<String> optionalTensor(String name) {
        return has(name) ? Optional.of(tensor(name)) : Optional.empty();
    }

    Table table() {
        int number = number("table", 0);
        require(number < tables.size(), "table", "one of %,d tables".formatted(tables.size()), field("table"));
        return tables.get(number);
    }

    int number(String name, int least) {
        return number(field(name), name, least);
    }

    double real(String name) {
        JsonNode value = field(name);
        require(value.isNumber() && Double.isFinite(value.asDouble()), name, "a number", value);
        return value.asDouble();
    }

    OptionalDouble optionalReal(String name) {
        return has(name) ? OptionalDouble.of(real(name)) : OptionalDouble.empty();
    }

    /** Returns a probability, from 0 to below 1. */
    float probability(String name) {
        double value = real(name);
        require(value >= 0 && value < 1, name, "from 0 to below 1", field(name));
        return (float) value;
    }

    boolean isSet(String name) {
        JsonNode value = field(name);
        require(value.isBoolean(), name, "true or false", value);
        return value.asBoolean();
    }

    List<Integer> numbers(String name, int least) {
        List<Integer> numbers = new ArrayList<>();
        for (JsonNode each : list(name, OperandShapes.MOST_DIMENSIONS * 2)) {
            numbers.add(number(each, name, least));
        }
        return numbers;
    }

    /** Returns sides: numbers, or {@code B} and {@code B*4} for those that grow with the batch. */
    List<Size> sizes(String name) {
        List<Size> sizes = new ArrayList<>();
        for (JsonNode each : list(name, OperandShapes.MOST_DIMENSIONS)) {
            boolean isOfBatch = each.isString();
            String factor = isOfBatch ? each.asString().replaceFirst("^B\\*?", "") : "";
            require(
                    !isOfBatch || each.asString().matches("B(\\*[1-9]\\d{0,5})?"),
                    name,
                    "sides such as 64, \"B\" or \"B*4\"",
                    each);
            sizes.add(
                    isOfBatch
                            ? new Size(factor.isEmpty() ? 1 : Long.parseLong(factor), true)
                            : new Size(number(each, name, 1), false));
        }
        return sizes;
    }

    List<Operand> operands() {
        List<Operand> operands = new ArrayList<>();
        for (JsonNode each : list("in", Graph.MOST_NODES)) {
            operands.add(
                    each.isString()
                            ? new Tensor(references.tensor(each.asString()))
                            : new Value(references.value(number(each, "in", 0), index)));
        }
        return operands;
    }

    private boolean has(String name) {
        asked.add(name);
        return json.has(name);
    }

    private JsonNode field(String name) {
        asked.add(name);
        JsonNode value = json.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it needs the field '%s'".formatted(name));
        }
        return value;
    }

    private JsonNode list(String name, int most) {
        JsonNode list = field(name);
        require(list.isArray() && list.size() <= most, name, "a list of at most %,d".formatted(most), list);
        return list;
    }

    private static int number(JsonNode value, String name, int least) {
        require(
                value.isInt() && value.asInt() >= least && value.asInt() <= MOST,
                name,
                "a whole number from %d to %,d".formatted(least, MOST),
                value);
        return value.asInt();
    }

    private static void require(boolean isMet, String name, String rule, JsonNode value) {
        if (!isMet) {
            String shown = value.toString();
            throw new IllegalArgumentException("'%s' must be %s; it is %s"
                    .formatted(
                            name,
                            rule,
                            Printable.text(
                                    shown.length() > SHOWN_CHARACTERS
                                            ? shown.substring(0, SHOWN_CHARACTERS) + "…"
                                            : shown)));
        }
    }
}
