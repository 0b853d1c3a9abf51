package io.widgetcensus.client;

import android.app.Activity;
import android.app.Application;
import android.appwidget.AppWidgetManager;
import android.content.Intent;
import androidx.work.WorkManager;
import androidx.work.WorkerParameters;
import java.util.concurrent.atomic.AtomicBoolean;

/** A phone for scripts/test-android. It reads commands from standard input, one a line, and prints one line for each. */
public final class Trial {
    private static volatile Problem problem;

    private Trial() {}

    /** A provider; its class name is the kind. */
    static final class Forecast {}

    private static void configure(Application app) {
        Config.Builder config = new Config.Builder(System.getProperty("url"), System.getProperty("key")).channel(System.getProperty("channel"));
        if (System.getProperty("enabled") != null) config.enabled(Boolean.getBoolean("enabled"));
        WidgetCensus.configure(app, config.onProblem(told -> {
            problem = told;
            if (Boolean.getBoolean("throws")) throw new IllegalStateException("wc_write_ phone");
        }).build());
    }

    public static void main(String[] arguments) throws Exception {
        Application app = new Application();
        if (System.getProperty("unconfigured") == null) configure(app);
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            String answer = "done";
            switch (words[0]) {
                case "configure":
                    configure(app);
                    break;
                case "append":
                    answer = WidgetCensus.append(app, "widget_opened", "\"widget\":{\"kind\":\"k\",\"instance\":\"" + words[1] + "\"}");
                    break;
                case "send":
                    answer = new SendWorker(app, new WorkerParameters()).doWork().toString();
                    break;
                case "erase":
                    answer = new EraseWorker(app, new WorkerParameters()).doWork().toString();
                    break;
                case "both": // run a sender while others append, until the process is killed
                    Thread sender = new Thread(() -> {
                        while (true) {
                            new SendWorker(app, new WorkerParameters()).doWork();
                            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                        }
                    });
                    sender.setDaemon(true);
                    sender.start();
                    break;
                case "report":
                    WidgetCensus.report(app);
                    break;
                case "observe":
                    WidgetCensus.reportOnForeground(app);
                    break;
                case "start":
                    app.callbacks.onActivityStarted(new Activity());
                    break;
                case "stop":
                    app.callbacks.onActivityStopped(new Activity());
                    break;
                case "installed":
                    WidgetCensus.installed(app, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "configured":
                    WidgetCensus.configured(app, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "removed":
                    WidgetCensus.removed(app, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "opened":
                    WidgetCensus.opened(app, Forecast.class, Integer.parseInt(words[1]));
                    break;
                case "tapped": // an activity's intent: its flags, and the id of a widget, if any
                    Intent intent = new Intent().setFlags(Integer.parseInt(words[1]));
                    if (words.length > 2) intent.putExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, Integer.parseInt(words[2]));
                    WidgetCensus.opened(app, intent);
                    break;
                case "restored":
                    WidgetCensus.restored(app, new int[] {Integer.parseInt(words[1])}, new int[] {Integer.parseInt(words[2])});
                    break;
                case "optOut":
                    answer = String.valueOf(WidgetCensus.optOut(app));
                    break;
                case "optIn":
                    answer = String.valueOf(WidgetCensus.optIn(app));
                    break;
                case "race": // the user objects while other threads append
                    Thread[] others = new Thread[4];
                    AtomicBoolean isOver = new AtomicBoolean();
                    for (int i = 0; i < others.length; i++) {
                        others[i] = new Thread(() -> {
                            while (!isOver.get()) WidgetCensus.opened(app, Forecast.class, 1);
                        });
                        others[i].start();
                    }
                    Thread.sleep(50);
                    answer = String.valueOf(WidgetCensus.optOut(app));
                    isOver.set(true);
                    for (Thread other : others) other.join();
                    break;
                case "set":
                    System.setProperty(words[1], words[2]);
                    break;
                case "asked":
                    answer = String.valueOf(WorkManager.asked.remove("io.widgetcensus." + words[1]));
                    break;
                case "problem":
                    answer = problem == null ? "none" : problem.kind + " " + problem.status;
                    problem = null;
                    break;
                default:
                    throw new IllegalArgumentException(line);
            }
            System.out.println(answer);
        }
    }
}
