package io.widgetcensus.client;

import android.util.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** The service over HTTP. */
final class Service {
    /** The longest accepted Retry-After; if a service seems to want more, it is misunderstood or broken. */
    static final long PAUSE_SECONDS = 3_600;
    /** How many characters of a response are read, how many of them can be logged, and how many are. */
    private static final int READ_CHARACTERS = 64_000, ANSWER_CHARACTERS = 1_000, LOGGED_CHARACTERS = 400;

    private final Config config;
    private final boolean logsSuccesses;

    Service(Config config, boolean logsSuccesses) {
        this.config = config;
        this.logsSuccesses = logsSuccesses;
    }

    static final class Answer {
        final int status;
        /** From Retry-After. */
        final long seconds;
        final boolean isTaken;
        /** The request, the status and the beginning of the response, for the log. */
        final String line;
        /** Why the service rejected events, one for each. */
        final List<String> rejections;

        Answer(int status, long seconds, boolean isTaken, String line, List<String> rejections) {
            this.status = status;
            this.seconds = seconds;
            this.isTaken = isTaken;
            this.line = line;
            this.rejections = rejections;
        }
    }

    Answer post(String path, byte[] body, String device) throws IOException {
        HttpURLConnection connection = connection("POST", path);
        try {
            send(body, connection);
            return answer(connection, path, device, connection.getResponseCode() == 202);
        } finally {
            connection.disconnect();
        }
    }

    Answer erase(String device) throws IOException {
        HttpURLConnection connection = connection("DELETE", "/v1/device");
        try {
            connection.setRequestProperty("Census-Device", device);
            // A Wi-Fi login page can return 204, but doesn't name the device.
            boolean isTaken = connection.getResponseCode() == 204 && device.equals(connection.getHeaderField("Census-Device"));
            return answer(connection, "/v1/device", device, isTaken);
        } finally {
            connection.disconnect();
        }
    }

    private HttpURLConnection connection(String method, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(config.url + path).openConnection();
        connection.setRequestMethod(method);
        connection.setInstanceFollowRedirects(false); // a redirect would turn it into a GET
        connection.setConnectTimeout(15_000);
        connection.setReadTimeout(30_000);
        connection.setRequestProperty("Authorization", "Bearer " + config.key);
        return connection;
    }

    private Answer answer(HttpURLConnection connection, String path, String device, boolean isTaken) throws IOException {
        int status = connection.getResponseCode();
        long seconds = Math.min(connection.getHeaderFieldInt("Retry-After", 0), PAUSE_SECONDS);
        String said = beginning(connection);
        String head = said.substring(0, Math.min(said.length(), ANSWER_CHARACTERS + 1));
        String line = connection.getRequestMethod() + " " + path + ": " + status + " " + discreet(head, device);
        if (isTaken && logsSuccesses) Log.i(WidgetCensus.TAG, line);
        List<String> rejections = new ArrayList<>();
        for (String reason : Json.rejections(said)) rejections.add(discreet(reason, device));
        return new Answer(status, seconds, isTaken, line, rejections);
    }

    /** Masks a response for the log. It can repeat the key and the device that were sent, and be truncated inside them. */
    String discreet(String said, String device) {
        String key = config.key;
        boolean isCut = said.length() > ANSWER_CHARACTERS;
        if (!key.isEmpty()) said = said.replace(key, "(key)");
        if (!device.isEmpty()) said = said.replace(device, "(device)");
        // The last characters can be the beginning of either.
        if (isCut) said = said.substring(0, Math.max(0, said.length() - Math.max(key.length(), device.length())));
        return said.substring(0, Math.min(said.length(), LOGGED_CHARACTERS)).replaceAll("\\p{Cntrl}+", " ");
    }

    private static void send(byte[] body, HttpURLConnection connection) throws IOException {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        if (body.length > 1_024) {
            connection.setRequestProperty("Content-Encoding", "gzip");
            body = gzip(body);
        }
        try (OutputStream stream = connection.getOutputStream()) {
            stream.write(body);
        }
    }

    /** Reads the beginning of the response. */
    private static String beginning(HttpURLConnection connection) {
        char[] text = new char[READ_CHARACTERS];
        int count = 0;
        try (InputStream stream = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            Reader reader = stream == null ? new StringReader("") : new InputStreamReader(stream, StandardCharsets.UTF_8);
            for (int more = 0; more >= 0 && count < text.length; count += Math.max(more, 0)) {
                more = reader.read(text, count, text.length - count);
            }
        } catch (IOException cut) {
            // The status is enough.
        }
        return new String(text, 0, count);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        }
        return packed.toByteArray();
    }
}
