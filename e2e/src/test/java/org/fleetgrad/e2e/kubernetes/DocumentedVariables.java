package org.fleetgrad.e2e.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;

/** The environment variables in docs/configuration.md: those named there, and those of the settings named there. */
final class DocumentedVariables {

    private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]+");
    private static final Pattern SETTING = Pattern.compile("[a-z][a-z0-9-]*(\\.([a-z][a-z0-9-]*|<[a-z]+>))+");
    private static final Pattern LAST_PART = Pattern.compile("[a-z][a-z0-9-]*");

    private final List<Pattern> names = new ArrayList<>();

    DocumentedVariables() {
        String page = Manifests.read(RepositoryRoot.path().resolve("docs/configuration.md"));
        // Compose's variables are read by its file only, not by a program.
        page.replaceAll("(?s)\n## Compose\n.*?\n## ", "\n## ").lines().forEach(this::read);
    }

    private void read(String line) {
        Matcher code = CODE.matcher(line);
        String setting = "";
        while (code.find()) {
            String text = code.group(1);
            if (VARIABLE.matcher(text).matches()) {
                names.add(Pattern.compile(text));
            } else if (SETTING.matcher(text).matches()) {
                setting = text;
                names.add(variable(text));
            } else if (line.startsWith("| `")
                    && !setting.isEmpty()
                    && LAST_PART.matcher(text).matches()) {
                // As in `ps.a.x`, `y`.
                names.add(variable(setting.replaceFirst("[^.]+$", text)));
            }
        }
    }

    /** Upper case, dots become underscores, dashes are removed. */
    private static Pattern variable(String setting) {
        return Pattern.compile(setting.replace("-", "")
                .replace('.', '_')
                .replaceAll("<[a-z]+>", "[a-z]+")
                .toUpperCase(Locale.ROOT));
    }

    boolean has(String name) {
        return names.stream().anyMatch(documented -> documented.matcher(name).matches());
    }
}
