package numbers;

import java.util.stream.Collectors;

/** One line for the tax office. */
public final class ShortageReport {
    private ShortageReport() {}

    public static String line(Register register) {
        String gaps = register.gaps().stream().map(Segment::toString).collect(Collectors.joining(", "));
        return gaps.isEmpty() ? "缺号: 无" : "缺号: " + gaps;
    }
}
