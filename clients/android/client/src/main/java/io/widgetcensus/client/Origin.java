package io.widgetcensus.client;

import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.os.Build;
import android.provider.Settings;
import java.io.IOException;
import java.util.UUID;

/**
 * The app, device and installation as they are now. Each event is stored with its origin, and a batch has events of one origin only,
 * because an event from before a restart or an update must not look like one from after it.
 */
final class Origin {
    private Origin() {}

    /** The fields of a batch. */
    static String fields(Context context, Config config, String device, Storage storage) throws IOException {
        PackageInfo app;
        try {
            app = context.getPackageManager().getPackageInfo(context.getPackageName(), 0);
        } catch (PackageManager.NameNotFoundException impossible) {
            throw new IOException(impossible);
        }
        return "\"app\":{\"id\":" + Json.text(context.getPackageName()) + ",\"version\":" + Json.text(String.valueOf(app.versionName))
                + (config.channel == null ? "" : ",\"channel\":" + Json.text(config.channel)) + "},\"device\":{\"id\":" + Json.text(device)
                + ",\"platform\":\"android\",\"os_version\":" + Json.text(Build.VERSION.RELEASE) + ",\"os_build\":" + Json.text(Build.ID)
                + "},\"installation\":{" + installation(context, app, storage) + "}";
    }

    static boolean isDebuggable(Context context) {
        return (context.getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
    }

    /** One life of the app on this device. It ends when the app or its data are deleted. */
    private static String installation(Context context, PackageInfo app, Storage storage) throws IOException {
        String boot;
        try {
            boot = String.valueOf(Settings.Global.getInt(context.getContentResolver(), Settings.Global.BOOT_COUNT));
        } catch (Settings.SettingNotFoundException unknown) {
            boot = "";
        }
        if (!storage.file("installation").exists()) {
            // If the app was updated before, or the user has objected, the first launch was earlier and is unknown.
            boolean isFirst = app.firstInstallTime == app.lastUpdateTime && !storage.file("device").exists();
            storage.write("installation", UUID.randomUUID() + "\n" + (isFirst ? Event.now() : "") + "\n" + boot + "\n");
        }
        String[] kept = storage.read("installation").split("\n", -1); // id, first launch or "", boot at our first call or ""
        if (kept.length < 3) {
            storage.file("installation").delete(); // cut off by a power loss
            throw new IOException("the installation could not be read");
        }
        boolean isKnown = !boot.isEmpty() && !kept[2].isEmpty();
        String rebooted = "";
        if (isKnown && !boot.equals(kept[2])) rebooted = ",\"rebooted\":true";
        // No restart since our first call. That is known only if our first call was the app's first launch.
        if (isKnown && boot.equals(kept[2]) && !kept[1].isEmpty()) rebooted = ",\"rebooted\":false";
        return "\"id\":\"" + kept[0] + "\"" + (kept[1].isEmpty() ? "" : ",\"first_launched_at\":\"" + kept[1] + "\"") + rebooted;
    }
}
