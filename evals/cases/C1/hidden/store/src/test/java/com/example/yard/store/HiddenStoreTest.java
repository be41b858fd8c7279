package com.example.yard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.yard.core.Berth;
import org.junit.jupiter.api.Test;

class HiddenStoreTest {
    @Test
    void worksFromHere() {
        BerthStore store = new BerthStore();
        store.add(new Berth("x", 7));
        assertEquals("x", store.moor("Wren", 7).orElseThrow().name());
    }
}
