package android.app;

import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

/** Lets the activities in docs/guides/android.md compile. */
public class Activity extends Context {
    public static final int RESULT_CANCELED = 0;
    public static final int RESULT_OK = -1;

    protected void onCreate(Bundle saved) {}

    protected void onStart() {}

    protected void onNewIntent(Intent intent) {}

    public Intent getIntent() {
        return new Intent();
    }

    public final void setResult(int code, Intent data) {}

    public void finish() {}

    public boolean isChangingConfigurations() {
        return Boolean.getBoolean("rotating");
    }
}
