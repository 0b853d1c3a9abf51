package io.widgetcensus.client;

import android.content.Context;
import androidx.annotation.NonNull;
import androidx.work.ExistingWorkPolicy;
import androidx.work.WorkerParameters;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** Sends the queue batch by batch. WorkManager creates it. */
public final class SendWorker extends ServiceWorker {
    private static final List<Integer> FINAL = Arrays.asList(400, 415, 422);

    public SendWorker(@NonNull Context context, @NonNull WorkerParameters parameters) {
        super(context, parameters, "pause");
    }

    @Override
    Result work(Service service, Config config) throws IOException {
        Context context = getApplicationContext();
        int limit = Queue.BATCH_EVENTS;
        while (!isStopped()) {
            DeviceIds ids = Storage.locked(context, storage -> {
                DeviceIds all = DeviceIds.read(context, storage);
                if (all.hasObjected()) storage.empty(); // the process ended during optOut
                return all;
            });
            // As separate work, because a proxy that blocks DELETE must not hold up events.
            if (!ids.toErase.isEmpty()) WidgetCensus.schedule(context, EraseWorker.class, ExistingWorkPolicy.KEEP);
            if (!config.isEnabled) return Result.failure(); // keep the events; the first one after that schedules a sender
            Queue.Batch batch = new Storage(context).queue().next(limit);
            if (batch.size() == 0) return Result.success();
            Service.Answer answer = service.post("/v1/events", batch.body(), ids.current);
            int status = answer.status;
            if (answer.isTaken) {
                tellOfRejections(answer);
                batch.delete();
                limit = Math.min(limit * 2, Queue.BATCH_EVENTS);
            } else if (FINAL.contains(status) || status == 413 && batch.size() == 1) {
                tellOfRejections(answer);
                if (answer.rejections.size() < batch.size()) WidgetCensus.tell(Problem.Kind.DROPPED, status, answer.line);
                batch.delete();
                limit = Math.min(limit * 2, Queue.BATCH_EVENTS);
            } else if (status == 413) {
                limit = batch.size() / 2;
            } else if (status == 401 || status == 403) {
                WidgetCensus.tell(Problem.Kind.KEY_NOT_ACCEPTED, status, answer.line);
                return Result.failure(); // keep the events for an app with a working key; the next event retries
            } else {
                return retry(answer); // 408, 429, 5xx, and anything that our service never returns
            }
        }
        return Result.retry();
    }

    private static void tellOfRejections(Service.Answer answer) {
        for (String reason : new LinkedHashSet<>(answer.rejections)) {
            WidgetCensus.tell(Problem.Kind.REFUSED, answer.status, "the service rejected an event: " + reason);
        }
    }
}
