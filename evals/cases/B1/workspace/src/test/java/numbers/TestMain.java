package numbers;

import java.util.List;

/** Run by test.sh; exit status 1 when a check fails. */
public final class TestMain {
    private static int failures;

    public static void main(String[] arguments) {
        reads();
        holds();
        adds();
        books();
        System.out.println(failures == 0 ? "ok" : failures + " failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void reads() {
        same("reads", List.of(new Segment(1, 5), new Segment(9, 9)), SegmentParser.parse("1-5, 9"));
        same("writes", "[100-199, 300]", List.of(new Segment(100, 199), new Segment(300, 300)).toString());
    }

    private static void holds() {
        Segment segment = new Segment(100, 199);
        same("holds its middle", true, segment.contains(150));
        same("does not hold what is before", false, segment.contains(99));
        same("does not hold what is after", false, segment.contains(200));
    }

    private static void adds() {
        SegmentSet set = new SegmentSet();
        set.add(new Segment(100, 199));
        set.add(new Segment(150, 249));
        set.add(new Segment(400, 499));
        same("overlapping ones become one", List.of(new Segment(100, 249), new Segment(400, 499)), set.segments());
    }

    private static void books() {
        Register register = new Register();
        register.receive("100-199");
        same("takes the lowest", 100L, register.take());
        same("holds the rest", true, register.isFree(150));
    }

    private static void same(String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            failures++;
            System.out.println("FAILED " + what + ": wanted " + wanted + ", found " + found);
        }
    }
}
