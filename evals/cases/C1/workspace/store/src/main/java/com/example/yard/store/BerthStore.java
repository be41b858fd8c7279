package com.example.yard.store;

import com.example.yard.core.Berth;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The berths by name, and which of them are taken. */
public final class BerthStore {
    private final SortedMap<String, Berth> berths = new TreeMap<>();
    private final SortedMap<String, String> shipByBerth = new TreeMap<>();

    public void add(Berth berth) {
        berths.put(berth.name(), berth);
    }

    public Optional<Berth> moor(String ship, int shipMetres) {
        for (Berth berth : berths.values()) {
            if (!shipByBerth.containsKey(berth.name()) && berth.fits(shipMetres)) {
                shipByBerth.put(berth.name(), ship);
                return Optional.of(berth);
            }
        }
        return Optional.empty();
    }

    public Collection<Berth> all() {
        return berths.values();
    }

    public Optional<String> shipAt(Berth berth) {
        return Optional.ofNullable(shipByBerth.get(berth.name()));
    }
}
