package org.fleetgrad.cli.certificate;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names and addresses for which a certificate is valid. */
final class HostNames {

    private static final Pattern IP4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IP6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");
    private static final Pattern NAME = Pattern.compile(
            "(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");

    private HostNames() {}

    /**
     * Returns this machine's names and {@code hosts} in keytool's format; {@link IllegalArgumentException} if a host is
     * neither a name nor an address.
     */
    static String subjectAlternativeNames(List<String> hosts) {
        Set<String> names = new LinkedHashSet<>(List.of("dns:localhost", "ip:127.0.0.1"));
        hosts.forEach(host -> names.add(name(host)));
        return names.stream().collect(Collectors.joining(","));
    }

    private static String name(String host) {
        if (IP4.matcher(host).matches() || IP6.matcher(host).matches()) {
            return "ip:" + host;
        }
        if (host.length() <= 253 && NAME.matcher(host).matches()) {
            return "dns:" + host;
        }
        throw new IllegalArgumentException(
                "--host must be a name or an address alone, such as ps.example.org or 192.0.2.7; it is '%s'"
                        .formatted(host));
    }
}
