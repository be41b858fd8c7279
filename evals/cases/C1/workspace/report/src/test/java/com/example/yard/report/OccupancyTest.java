package com.example.yard.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.yard.core.Berth;
import com.example.yard.store.BerthStore;
import org.junit.jupiter.api.Test;

class OccupancyTest {
    @Test
    void freeAndTakenBerthsAreNamed() {
        BerthStore store = new BerthStore();
        store.add(new Berth("a", 50));
        store.add(new Berth("b", 90));
        store.moor("Heron", 80);
        assertEquals("a: free\nb: Heron\n", Occupancy.of(store));
    }
}
