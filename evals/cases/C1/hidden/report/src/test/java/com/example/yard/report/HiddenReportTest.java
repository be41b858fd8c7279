package com.example.yard.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.yard.core.Berth;
import com.example.yard.store.BerthStore;
import org.junit.jupiter.api.Test;

class HiddenReportTest {
    @Test
    void worksFromHere() {
        BerthStore store = new BerthStore();
        store.add(new Berth("x", 7));
        assertEquals("x: free\n", Occupancy.of(store));
    }
}
