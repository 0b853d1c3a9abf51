package io.widgetcensus.client;

import android.content.Context;
import androidx.annotation.NonNull;
import androidx.work.WorkerParameters;
import java.io.IOException;

/** Has the service erase devices until it has confirmed each. WorkManager creates it. */
public final class EraseWorker extends ServiceWorker {
    public EraseWorker(@NonNull Context context, @NonNull WorkerParameters parameters) {
        super(context, parameters, "pause-forget");
    }

    @Override
    Result work(Service service, Config config) throws IOException {
        Context context = getApplicationContext();
        while (!isStopped()) {
            DeviceIds ids = Storage.locked(context, storage -> DeviceIds.read(context, storage));
            if (ids.toErase.isEmpty()) return Result.success();
            String device = ids.toErase.get(0);
            Service.Answer answer = service.erase(device);
            if (!answer.isTaken) return retry(answer);
            Storage.locked(context, storage -> {
                DeviceIds left = DeviceIds.read(context, storage);
                left.toErase.remove(device);
                storage.write("device", left.text());
                return left;
            });
        }
        return Result.retry();
    }
}
