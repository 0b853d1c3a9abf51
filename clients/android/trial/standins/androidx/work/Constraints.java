package androidx.work;

public class Constraints {
    NetworkType network = NetworkType.NOT_REQUIRED;

    public static class Builder {
        private final Constraints made = new Constraints();

        public Builder setRequiredNetworkType(NetworkType network) {
            made.network = network;
            return this;
        }

        public Constraints build() {
            return made;
        }
    }
}
