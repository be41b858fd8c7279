package com.example.orders;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/** Turns an order into the amount to pay: subtotal, less discount, plus tax, rounded to cents. */
public final class PriceCalculator {

    private final DiscountPolicy discountPolicy;
    private final BigDecimal taxRate;

    public PriceCalculator(DiscountPolicy discountPolicy, BigDecimal taxRate) {
        this.discountPolicy = Objects.requireNonNull(discountPolicy, "discountPolicy");
        this.taxRate = Objects.requireNonNull(taxRate, "taxRate");
    }

    public BigDecimal priceOf(Order order) {
        BigDecimal payable = BigDecimal.ONE.subtract(discountPolicy.rateFor(order));
        return order.subtotal()
                .multiply(payable)
                .multiply(BigDecimal.ONE.add(taxRate))
                .setScale(2, RoundingMode.HALF_UP);
    }
}
