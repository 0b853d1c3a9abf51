package android.appwidget;

import android.content.ComponentName;
import android.content.Context;
import android.os.UserHandle;
import android.widget.RemoteViews;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists the widgets in the property "widgets", such as "com.example.weather.Forecast=5,6;com.example.weather.Radar=7"; "broken" fails. */
public class AppWidgetManager {
    public static final String EXTRA_APPWIDGET_ID = "appWidgetId";
    public static final int INVALID_APPWIDGET_ID = 0;

    public static AppWidgetManager getInstance(Context context) {
        return new AppWidgetManager();
    }

    private static Stream<String[]> widgets() {
        if (System.getProperty("widgets", "").equals("broken")) throw new RuntimeException("system server dead?");
        return Stream.of(System.getProperty("widgets", "").split(";")).filter(one -> !one.isEmpty()).map(one -> one.split("="));
    }

    private static AppWidgetProviderInfo info(String[] widget) {
        AppWidgetProviderInfo info = new AppWidgetProviderInfo();
        info.provider = new ComponentName(widget[0]);
        return info;
    }

    public AppWidgetProviderInfo getAppWidgetInfo(int instance) {
        return widgets().filter(one -> List.of(one[1].split(",")).contains("" + instance)).map(AppWidgetManager::info).findFirst().orElse(null);
    }

    public List<AppWidgetProviderInfo> getInstalledProvidersForPackage(String name, UserHandle profile) {
        return widgets().map(AppWidgetManager::info).collect(Collectors.toList());
    }

    public void updateAppWidget(int instance, RemoteViews views) {}

    public int[] getAppWidgetIds(ComponentName provider) {
        return widgets().filter(one -> one[0].equals(provider.getClassName())).flatMap(one -> Stream.of(one[1].split(",")))
                .mapToInt(Integer::parseInt).toArray();
    }
}
