package numbers;

import java.util.ArrayList;
import java.util.List;

/** The text form: segments with commas between, `100-199, 300`. The numbers as written belong to the segment. */
public final class SegmentParser {
    private SegmentParser() {}

    public static List<Segment> parse(String text) {
        List<Segment> segments = new ArrayList<>();
        for (String part : text.split(",")) {
            String trimmed = part.trim();
            if (trimmed.isEmpty()) {
                continue;
            }
            int dash = trimmed.indexOf('-', 1);
            long first = Long.parseLong(dash < 0 ? trimmed : trimmed.substring(0, dash).trim());
            long last = dash < 0 ? first : Long.parseLong(trimmed.substring(dash + 1).trim());
            segments.add(new Segment(first, last));
        }
        return segments;
    }
}
