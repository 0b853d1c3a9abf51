package io.widgetcensus.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class Json {
    private static final String STRING = "\"((?:[^\"\\\\]++|\\\\.)*+)\"";
    private static final Pattern REASON = Pattern.compile("\"code\":" + STRING + "(?:,\"message\":" + STRING + ")?");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

    private Json() {}

    /** Reads code and message of each event that a response rejects. */
    static List<String> rejections(String response) {
        List<String> reasons = new ArrayList<>();
        int start = response.indexOf("\"rejected\":[");
        if (start < 0) return reasons;
        int end = response.indexOf("],\"", start); // not in a string, where the quote would be escaped
        Matcher reason = REASON.matcher(response).region(start, end < 0 ? response.length() : end);
        while (reason.find()) {
            String message = reason.group(2) == null ? "" : ": " + reason.group(2);
            reasons.add(unescaped(reason.group(1) + message));
        }
        return reasons;
    }

    private static String unescaped(String text) {
        StringBuffer plain = new StringBuffer();
        Matcher escape = ESCAPE.matcher(text);
        while (escape.find()) {
            String code = escape.group(1);
            String character = code == null ? escape.group(2) : String.valueOf((char) Integer.parseInt(code, 16));
            escape.appendReplacement(plain, Matcher.quoteReplacement(character));
        }
        return escape.appendTail(plain).toString();
    }

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
