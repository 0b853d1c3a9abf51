package androidx.work;

import java.util.concurrent.TimeUnit;

public class OneTimeWorkRequest {
    private Constraints constraints = new Constraints();
    private String backoff = "at once";
    private final Class<? extends ListenableWorker> worker;

    private OneTimeWorkRequest(Class<? extends ListenableWorker> worker) {
        this.worker = worker;
    }

    @Override
    public String toString() {
        return worker.getSimpleName() + " " + constraints.network + " " + backoff;
    }

    public static class Builder {
        private final OneTimeWorkRequest made;

        public Builder(Class<? extends ListenableWorker> worker) {
            made = new OneTimeWorkRequest(worker);
        }

        public Builder setConstraints(Constraints constraints) {
            made.constraints = constraints;
            return this;
        }

        public Builder setBackoffCriteria(BackoffPolicy policy, long delay, TimeUnit unit) {
            made.backoff = policy + " " + unit.toSeconds(delay);
            return this;
        }

        public Builder setInitialDelay(long delay, TimeUnit unit) {
            made.backoff = "in " + unit.toDays(delay) + " days";
            return this;
        }

        public OneTimeWorkRequest build() {
            return made;
        }
    }
}
