package android.content;

public class Intent {
    public static final int FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY = 1 << 20;

    public Intent() {}

    public Intent(Context context, Class<?> component) {}

    public Intent putExtra(String name, int value) {
        return this;
    }

    public int getIntExtra(String name, int otherwise) {
        return otherwise;
    }

    public int getFlags() {
        return 0;
    }
}
