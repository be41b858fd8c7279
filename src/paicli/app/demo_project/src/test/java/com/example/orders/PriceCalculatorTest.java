package com.example.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriceCalculatorTest {

    private static final Order THREE_ITEMS =
            new Order("Ling", List.of(new OrderLine("green tea", 3, new BigDecimal("10.00"))));

    @Test
    void addsTax() {
        PriceCalculator calculator = new PriceCalculator(DiscountPolicy.none(), new BigDecimal("0.06"));

        assertEquals(new BigDecimal("31.80"), calculator.priceOf(THREE_ITEMS));
    }

    @Test
    void takesTheDiscountOffBeforeTax() {
        PriceCalculator calculator = new PriceCalculator(DiscountPolicy.bulk(3), new BigDecimal("0.06"));

        assertEquals(new BigDecimal("28.62"), calculator.priceOf(THREE_ITEMS));
    }

    @Test
    void roundsHalfUpToCents() {
        PriceCalculator calculator = new PriceCalculator(DiscountPolicy.none(), new BigDecimal("0.0015"));

        assertEquals(new BigDecimal("30.05"), calculator.priceOf(THREE_ITEMS));
    }
}
