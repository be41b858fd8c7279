package gateway;

import java.util.Map;

/** Takes an order from the web and hands it to a queue. */
public final class OrderHandler {
    private final Publisher publisher;

    OrderHandler(Publisher publisher) {
        this.publisher = publisher;
    }

    String accept(String path, Map<String, Object> body) {
        Map<String, Object> message = Map.of(
            "item", body.get("sku"),
            "count", body.get("qty"));
        return publisher.publish(Routes.queueFor(path), message);
    }

    interface Publisher {
        String publish(String queue, Map<String, Object> message);
    }
}
