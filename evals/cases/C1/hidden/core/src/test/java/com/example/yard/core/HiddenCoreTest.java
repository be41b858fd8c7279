package com.example.yard.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HiddenCoreTest {
    @Test
    void worksFromHere() {
        assertEquals("Berth[name=x, lengthMetres=7]", new Berth("x", 7).toString());
    }
}
