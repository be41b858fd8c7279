package com.example.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void subtotalAddsUpAllLines() {
        Order order = new Order("Ling", List.of(
                new OrderLine("green tea", 2, new BigDecimal("8.50")),
                new OrderLine("teapot", 1, new BigDecimal("39.00"))));

        assertEquals(new BigDecimal("56.00"), order.subtotal());
        assertEquals(3, order.itemCount());
    }

    @Test
    void anOrderNeedsALine() {
        assertThrows(IllegalArgumentException.class, () -> new Order("Ling", List.of()));
    }
}
