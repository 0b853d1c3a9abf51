package com.example.widgetcensus;

import android.content.Context;
import androidx.work.WorkManager;
import androidx.work.WorkerParameters;
import java.util.concurrent.atomic.AtomicBoolean;

/** A phone for scripts/test-android. It reads commands from standard input, one a line, and prints one line for each. */
public final class Trial {
    private Trial() {}

    /** A provider; its class name is the kind. */
    static final class Forecast {}

    public static void main(String[] arguments) throws Exception {
        WidgetCensus.url = System.getProperty("url");
        WidgetCensus.key = System.getProperty("key");
        Context context = new Context();
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            String answer = "done";
            switch (words[0]) {
                case "append":
                    answer = WidgetCensus.append(context, "widget_opened", "\"widget\":{\"kind\":\"k\",\"instance\":\"" + words[1] + "\"}");
                    break;
                case "send":
                    answer = new WidgetCensus.Sender(context, new WorkerParameters()).doWork().toString();
                    break;
                case "delete":
                    answer = new WidgetCensus.Forgetter(context, new WorkerParameters()).doWork().toString();
                    break;
                case "both": // run a sender while others append, until the process is killed
                    Thread sender = new Thread(() -> {
                        while (true) {
                            new WidgetCensus.Sender(context, new WorkerParameters()).doWork();
                            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                        }
                    });
                    sender.setDaemon(true);
                    sender.start();
                    break;
                case "report":
                    WidgetCensus.report(context);
                    break;
                case "installed":
                    WidgetCensus.installed(context, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "configured":
                    WidgetCensus.configured(context, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "removed":
                    WidgetCensus.removed(context, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "opened":
                    WidgetCensus.opened(context, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "restored":
                    WidgetCensus.restored(context, new int[] {Integer.parseInt(words[1])}, new int[] {Integer.parseInt(words[2])});
                    break;
                case "forget":
                    answer = String.valueOf(WidgetCensus.forget(context));
                    break;
                case "resume":
                    answer = String.valueOf(WidgetCensus.resume(context));
                    break;
                case "race": // the user objects while other threads append
                    Thread[] others = new Thread[4];
                    AtomicBoolean isOver = new AtomicBoolean();
                    for (int i = 0; i < others.length; i++) {
                        others[i] = new Thread(() -> {
                            while (!isOver.get()) WidgetCensus.opened(context, Forecast.class, 1);
                        });
                        others[i].start();
                    }
                    Thread.sleep(50);
                    answer = String.valueOf(WidgetCensus.forget(context));
                    isOver.set(true);
                    for (Thread other : others) other.join();
                    break;
                case "set":
                    System.setProperty(words[1], words[2]);
                    break;
                case "asked":
                    answer = String.valueOf(WorkManager.asked.remove(words[1]));
                    break;
                default:
                    throw new IllegalArgumentException(line);
            }
            System.out.println(answer);
        }
    }
}
