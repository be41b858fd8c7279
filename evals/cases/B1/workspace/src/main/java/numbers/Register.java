package numbers;

import java.util.List;

/** What a branch does with its numbers. */
public final class Register {
    private final SegmentSet free = new SegmentSet();

    /** Numbers arrive, in the text form. */
    public void receive(String text) {
        SegmentParser.parse(text).forEach(free::add);
    }

    /** Numbers that may not be used any more. */
    public void cancel(String text) {
        SegmentParser.parse(text).forEach(free::remove);
    }

    public boolean isFree(long number) {
        return free.contains(number);
    }

    public long left() {
        return free.size();
    }

    /** Takes the lowest free number. */
    public long take() {
        List<Segment> segments = free.segments();
        if (segments.isEmpty()) {
            throw new IllegalStateException("no numbers left");
        }
        long number = segments.get(0).first();
        free.remove(new Segment(number, number));
        return number;
    }

    public List<Segment> segments() {
        return free.segments();
    }

    public List<Segment> gaps() {
        return free.gaps();
    }
}
