package android.provider;

import android.content.ContentResolver;

public class Settings {
    public static class SettingNotFoundException extends Exception {
        private static final long serialVersionUID = 1;
    }

    public static class Global {
        public static final String BOOT_COUNT = "boot_count";

        public static int getInt(ContentResolver resolver, String name) throws SettingNotFoundException {
            Integer value = Integer.getInteger(name);
            if (value == null) throw new SettingNotFoundException();
            return value;
        }
    }

    public static class Secure {
        public static final String ANDROID_ID = "android_id";

        public static String getString(ContentResolver resolver, String name) {
            return System.getProperty(name);
        }
    }
}
