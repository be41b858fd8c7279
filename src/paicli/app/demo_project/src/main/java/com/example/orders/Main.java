package com.example.orders;

import java.math.BigDecimal;
import java.util.List;

/** Prices one sample order and prints what is to pay. */
public final class Main {

    private Main() {
    }

    public static void main(String[] arguments) {
        Order order = new Order("Ling", List.of(
                new OrderLine("green tea", 2, new BigDecimal("8.50")),
                new OrderLine("teapot", 1, new BigDecimal("39.00"))));
        PriceCalculator calculator = new PriceCalculator(DiscountPolicy.bulk(3), new BigDecimal("0.06"));
        System.out.println(order.customer() + " pays " + calculator.priceOf(order));
    }
}
