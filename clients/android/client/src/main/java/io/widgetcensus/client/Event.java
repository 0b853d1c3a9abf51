package io.widgetcensus.client;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** One event, as it is stored and sent. */
final class Event {
    final String id = UUID.randomUUID().toString();
    /** Its name in the queue, which orders files by age and says what to evict last. */
    final String file;
    final String json;

    Event(String type, String content) {
        Instant now = now();
        file = now.toEpochMilli() + "-" + id + (type.equals("widgets_reported") ? ".report" : ".event");
        json = "{\"id\":\"" + id + "\",\"type\":\"" + type + "\",\"at\":\"" + now + "\",\"source\":\"app\"," + content + "}";
    }

    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
