package com.example.yard.app;

import com.example.yard.core.Berth;
import com.example.yard.report.Occupancy;
import com.example.yard.store.BerthStore;

public final class App {
    private App() {
    }

    public static String morning() {
        BerthStore store = new BerthStore();
        store.add(new Berth("east", 70));
        store.add(new Berth("west", 140));
        store.moor("Gannet", 100);
        return Occupancy.of(store);
    }

    public static void main(String[] arguments) {
        System.out.print(morning());
    }
}
