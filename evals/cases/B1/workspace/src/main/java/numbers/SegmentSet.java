package numbers;

import java.util.ArrayList;
import java.util.List;

/** Invoice numbers as the fewest segments that hold them, in order. */
public final class SegmentSet {
    private final List<Segment> segments = new ArrayList<>();

    public List<Segment> segments() {
        return List.copyOf(segments);
    }

    public boolean contains(long number) {
        return segments.stream().anyMatch(segment -> segment.contains(number));
    }

    public long size() {
        return segments.stream().mapToLong(Segment::size).sum();
    }

    /** Adds the numbers; what overlaps or lies next to each other becomes one segment. */
    public void add(Segment added) {
        long first = added.first();
        long last = added.last();
        List<Segment> kept = new ArrayList<>();
        for (Segment segment : segments) {
            if (segment.overlaps(added) || segment.isNextTo(added)) {
                first = Math.min(first, segment.first());
                last = Math.max(last, segment.last());
            } else {
                kept.add(segment);
            }
        }
        kept.add(new Segment(first, last));
        kept.sort((one, other) -> Long.compare(one.first(), other.first()));
        segments.clear();
        segments.addAll(kept);
    }

    /** Takes the numbers out, cutting segments where needed. */
    public void remove(Segment removed) {
        List<Segment> kept = new ArrayList<>();
        for (Segment segment : segments) {
            if (!segment.overlaps(removed)) {
                kept.add(segment);
                continue;
            }
            if (segment.first() < removed.first()) {
                kept.add(new Segment(segment.first(), removed.first()));
            }
            if (segment.last() > removed.last()) {
                kept.add(new Segment(removed.last(), segment.last()));
            }
        }
        segments.clear();
        segments.addAll(kept);
    }

    /** The runs between the first and the last segment that are in none. */
    public List<Segment> gaps() {
        List<Segment> gaps = new ArrayList<>();
        for (int at = 1; at < segments.size(); at++) {
            gaps.add(new Segment(segments.get(at - 1).last(), segments.get(at).first()));
        }
        return gaps;
    }
}
