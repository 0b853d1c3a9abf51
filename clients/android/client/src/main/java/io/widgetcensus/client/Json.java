package io.widgetcensus.client;

import java.util.Locale;

final class Json {
    private Json() {}

    static String widget(String kind, int instance) {
        return "{\"kind\":" + text(kind) + ",\"instance\":\"" + instance + "\"}";
    }

    /** Quotes a string. */
    static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char character : value.toCharArray()) {
            if (character == '"' || character == '\\') quoted.append('\\').append(character);
            else if (character < ' ') quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            else quoted.append(character);
        }
        return quoted.append('"').toString();
    }
}
