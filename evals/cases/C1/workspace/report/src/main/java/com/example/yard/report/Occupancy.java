package com.example.yard.report;

import com.example.yard.core.Berth;
import com.example.yard.store.BerthStore;

/** A line for each berth. */
public final class Occupancy {
    private Occupancy() {
    }

    public static String of(BerthStore store) {
        StringBuilder lines = new StringBuilder();
        for (Berth berth : store.all()) {
            lines.append(berth.name()).append(": ").append(store.shipAt(berth).orElse("free")).append('\n');
        }
        return lines.toString();
    }
}
