package android.content;

public interface SharedPreferences {
    boolean contains(String key);

    Editor edit();

    interface Editor {
        Editor putString(String key, String value);

        void apply();
    }
}
