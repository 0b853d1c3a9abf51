package io.widgetcensus.client;

import android.annotation.SuppressLint;
import android.content.Context;
import android.provider.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** The device's id, and the ids that the service has yet to erase: the lines of the file {@code device}. */
final class DeviceIds {
    /** Empty while the user objects. */
    String current;
    final List<String> toErase;

    private DeviceIds(List<String> lines) {
        current = lines.get(0);
        toErase = new ArrayList<>(lines.subList(1, lines.size()));
    }

    /** Without the file, the id is ANDROID_ID. It is different for each signing key, and survives a reinstall but not a new phone. */
    @SuppressLint("HardwareIds") // a new id with each installation would count a reinstalled app twice
    static DeviceIds read(Context context, Storage storage) throws IOException {
        if (storage.file("device").exists()) return new DeviceIds(Arrays.asList(storage.read("device").split("\n", -1)));
        String device = Settings.Secure.getString(context.getContentResolver(), Settings.Secure.ANDROID_ID);
        if (device == null) throw new IOException("the device has no id");
        return new DeviceIds(Arrays.asList(device));
    }

    String text() {
        List<String> lines = new ArrayList<>(toErase);
        lines.add(0, current);
        return String.join("\n", lines);
    }

    boolean hasObjected() {
        return current.isEmpty();
    }

    /** Returns whether this changes anything. */
    boolean objects() {
        if (hasObjected()) return false;
        toErase.add(current);
        current = "";
        return true;
    }

    /** Returns whether this changes anything. */
    boolean agrees() {
        if (!hasObjected()) return false;
        current = UUID.randomUUID().toString();
        return true;
    }
}
