package org.fleetgrad.cli.help;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of a command: a short synopsis if it has many options, and those with a {@link HelpGroup} under their headings. */
public final class GroupedHelp extends Help {

    /** More options than this make a synopsis that nobody reads. */
    private static final int MOST_IN_SYNOPSIS = 12;

    public GroupedHelp(CommandSpec command, ColorScheme colors) {
        super(command, colors);
    }

    @Override
    public String synopsis(int headingLength) {
        return commandSpec().options().size() > MOST_IN_SYNOPSIS
                ? abbreviatedSynopsis()
                : super.synopsis(headingLength);
    }

    @Override
    public String optionList() {
        Map<Topic, List<OptionSpec>> groups = new EnumMap<>(Topic.class);
        List<OptionSpec> others = new ArrayList<>();
        for (OptionSpec option : commandSpec().options()) {
            topic(option)
                    .map(topic -> groups.computeIfAbsent(topic, each -> new ArrayList<>()))
                    .orElse(others)
                    .add(option);
        }
        if (groups.size() < 2) {
            return super.optionList();
        }
        StringBuilder list = new StringBuilder();
        groups.forEach((topic, options) -> list.append(heading(topic)).append(layout(options)));
        return list.append(createHeading("%nOther%n")).append(layout(others)).toString();
    }

    private String heading(Topic topic) {
        return createHeading("%n" + topic.heading() + "%n");
    }

    /** All groups have the columns of the whole list. */
    private String layout(List<OptionSpec> options) {
        Layout layout = createDefaultLayout();
        layout.addOptions(options, parameterLabelRenderer());
        return layout.toString();
    }

    private static Optional<Topic> topic(OptionSpec option) {
        if (!(option.userObject() instanceof Field field)) {
            return Optional.empty();
        }
        return Optional.ofNullable(field.getAnnotation(HelpGroup.class))
                .or(() -> Optional.ofNullable(field.getDeclaringClass().getAnnotation(HelpGroup.class)))
                .map(HelpGroup::value);
    }
}
