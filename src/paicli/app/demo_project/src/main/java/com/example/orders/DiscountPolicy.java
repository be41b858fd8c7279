package com.example.orders;

import java.math.BigDecimal;

/** Says what part of an order's subtotal the customer does not pay. */
@FunctionalInterface
public interface DiscountPolicy {

    /** A rate from 0 to 1. */
    BigDecimal rateFor(Order order);

    static DiscountPolicy none() {
        return order -> BigDecimal.ZERO;
    }

    /** Ten per cent for orders of at least {@code minimumItems} items. */
    static DiscountPolicy bulk(int minimumItems) {
        return order -> order.itemCount() >= minimumItems ? new BigDecimal("0.10") : BigDecimal.ZERO;
    }
}
