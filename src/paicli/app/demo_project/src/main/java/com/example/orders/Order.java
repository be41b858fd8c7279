package com.example.orders;

import java.math.BigDecimal;
import java.util.List;

/** What one customer takes home. An order has at least one line and never changes. */
public record Order(String customer, List<OrderLine> lines) {

    public Order {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("an order needs at least one line");
        }
        lines = List.copyOf(lines);
    }

    /** The sum of all lines, before any discount. */
    public BigDecimal subtotal() {
        return lines.stream().map(OrderLine::total).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    public int itemCount() {
        return lines.stream().mapToInt(OrderLine::quantity).sum();
    }
}
