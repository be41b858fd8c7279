package com.example.yard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.yard.core.Berth;
import org.junit.jupiter.api.Test;

class BerthStoreTest {
    @Test
    void theFirstFreeBerthThatFitsIsTaken() {
        BerthStore store = new BerthStore();
        store.add(new Berth("a", 50));
        store.add(new Berth("b", 90));
        assertEquals("b", store.moor("Heron", 80).orElseThrow().name());
        assertTrue(store.moor("Tern", 80).isEmpty());
    }
}
