package com.example.yard.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BerthTest {
    @Test
    void aShipFitsUpToTheLength() {
        Berth berth = new Berth("north", 120);
        assertTrue(berth.fits(120));
        assertFalse(berth.fits(121));
    }
}
