package com.example.yard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AppTest {
    @Test
    void theMorningIsTold() {
        assertEquals("east: free\nwest: Gannet\n", App.morning());
    }
}
