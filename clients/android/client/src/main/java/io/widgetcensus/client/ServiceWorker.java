package io.widgetcensus.client;

import android.content.Context;
import androidx.annotation.NonNull;
import androidx.work.Worker;
import androidx.work.WorkerParameters;
import java.io.IOException;

/** Sends requests, and pauses as the service asks. */
abstract class ServiceWorker extends Worker {
    private final String pause;

    /** @param pause the file that holds when the service may be asked again */
    ServiceWorker(Context context, WorkerParameters parameters, String pause) {
        super(context, parameters);
        this.pause = pause;
    }

    abstract Result work(Service service, Config config) throws IOException;

    @NonNull
    @Override
    public final Result doWork() {
        Config config = WidgetCensus.config();
        if (config == null) return Result.retry(); // WorkManager can be faster than Application.onCreate
        Service service = new Service(config, Origin.isDebuggable(getApplicationContext()));
        try {
            return mustWait() ? Result.retry() : work(service, config);
        } catch (IOException | RuntimeException silence) {
            // The request might have arrived, but repeats don't count twice. An error about a header can quote the key.
            WidgetCensus.tell(Problem.Kind.NOT_SENT, 0, "no answer: " + service.discreet(silence.toString(), ""));
            return Result.retry();
        }
    }

    final Result retry(Service.Answer answer) throws IOException {
        WidgetCensus.tell(Problem.Kind.NOT_SENT, answer.status, answer.line);
        if (answer.seconds > 0) {
            new Storage(getApplicationContext()).write(pause, String.valueOf(System.currentTimeMillis() + answer.seconds * 1_000));
        }
        return Result.retry();
    }

    private boolean mustWait() throws IOException {
        Storage storage = new Storage(getApplicationContext());
        try {
            long left = Long.parseLong(storage.read(pause)) - System.currentTimeMillis();
            return left > 0 && left <= Service.PAUSE_SECONDS * 1_000; // otherwise the clock was changed
        } catch (IOException | NumberFormatException none) {
            return false;
        }
    }
}
