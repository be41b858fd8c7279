package gateway;

import java.util.Map;

/** Paths of the public interface and the queues behind them. */
public final class Routes {
    static final Map<String, String> QUEUES = Map.of(
        "/api/v2/orders", "orders.intake",
        "/api/v2/orders/cancel", "orders.revoke",
        "/api/v1/orders", "orders.legacy");

    private Routes() {}

    static String queueFor(String path) {
        String queue = QUEUES.get(path);
        if (queue == null) {
            throw new IllegalArgumentException("no route: " + path);
        }
        return queue;
    }
}
