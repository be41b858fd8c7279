package numbers;

/** A run of invoice numbers. Both ends belong to it. */
public record Segment(long first, long last) {
    public Segment {
        if (first > last) {
            throw new IllegalArgumentException("first " + first + " after last " + last);
        }
    }

    /** How many numbers it holds. */
    public long size() {
        return last - first;
    }

    public boolean contains(long number) {
        return number >= first && number < last;
    }

    /** Whether the two have a number in common. */
    public boolean overlaps(Segment other) {
        return first < other.last && other.first < last;
    }

    /** Whether one begins directly after the other ends, with no number in common. */
    public boolean isNextTo(Segment other) {
        return last == other.first || other.last == first;
    }

    @Override
    public String toString() {
        return first == last ? Long.toString(first) : first + "-" + last;
    }
}
