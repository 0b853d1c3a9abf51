package androidx.work;

import android.content.Context;

public abstract class ListenableWorker {
    private final Context context;

    public ListenableWorker(Context context, WorkerParameters parameters) {
        this.context = context;
    }

    public final Context getApplicationContext() {
        return context;
    }

    public final boolean isStopped() {
        return false;
    }

    public static class Result {
        private final String name;

        private Result(String name) {
            this.name = name;
        }

        public static Result success() {
            return new Result("success");
        }

        public static Result retry() {
            return new Result("retry");
        }

        public static Result failure() {
            return new Result("failure");
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
