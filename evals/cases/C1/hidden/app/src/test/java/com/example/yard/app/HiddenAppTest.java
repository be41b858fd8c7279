package com.example.yard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.yard.report.Occupancy;
import com.example.yard.store.BerthStore;
import org.junit.jupiter.api.Test;

class HiddenAppTest {
    @Test
    void worksFromHere() {
        App.main(new String[0]);
        assertEquals("", Occupancy.of(new BerthStore()));
    }
}
