package android.content;

import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import java.io.File;

/** A phone that the trial's system properties describe. */
public class Context {
    public Context getApplicationContext() {
        return this;
    }

    public String getPackageName() {
        return "com.example.weather";
    }

    public File getNoBackupFilesDir() {
        return new File(System.getProperty("folder"), "no_backup");
    }

    public static final int MODE_PRIVATE = 0;

    public SharedPreferences getSharedPreferences(String name, int mode) {
        return null;
    }

    public ContentResolver getContentResolver() {
        return new ContentResolver();
    }

    public PackageManager getPackageManager() {
        return new PackageManager();
    }

    public ApplicationInfo getApplicationInfo() {
        return new ApplicationInfo();
    }
}
