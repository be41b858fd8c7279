package com.example.yard.core;

/** A place at the quay. */
public record Berth(String name, int lengthMetres) {
    public boolean fits(int shipMetres) {
        return shipMetres <= lengthMetres;
    }
}
