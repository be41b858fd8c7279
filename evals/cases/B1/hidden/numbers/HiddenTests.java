package numbers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Writes a line for each group into the file that is named last: its name, a tab, what failed first. */
public final class HiddenTests {
    private static final List<String> VERDICTS = new ArrayList<>();
    private static String first;

    public static void main(String[] arguments) throws IOException {
        group("ends", HiddenTests::ends);
        group("merging", HiddenTests::merging);
        group("cutting", HiddenTests::cutting);
        group("extremes", HiddenTests::extremes);
        Files.write(Path.of(arguments[arguments.length - 1]), VERDICTS);
    }

    private static void ends() {
        Segment segment = new Segment(100, 199);
        same("size", 100L, segment.size());
        same("first", true, segment.contains(100));
        same("last", true, segment.contains(199));
        same("after", false, segment.contains(200));
        Segment single = new Segment(7, 7);
        same("single size", 1L, single.size());
        same("single holds itself", true, single.contains(7));
        same("single overlaps itself", true, single.overlaps(new Segment(7, 7)));
        same("one in common", true, segment.overlaps(new Segment(199, 250)));
        same("one in common, turned", true, new Segment(199, 250).overlaps(segment));
        same("none in common", false, segment.overlaps(new Segment(200, 250)));
        same("next to", true, segment.isNextTo(new Segment(200, 250)));
        same("next to, turned", true, new Segment(200, 250).isNextTo(segment));
        same("one between", false, segment.isNextTo(new Segment(201, 250)));
        same("overlapping is not next to", false, segment.isNextTo(new Segment(199, 250)));
        same("text", "100-199", segment.toString());
    }

    private static void merging() {
        same("adjacent", "[100-299]", set("100-199, 200-299"));
        same("adjacent, turned", "[100-299]", set("200-299, 100-199"));
        same("one in common", "[100-250]", set("100-199, 199-250"));
        same("one between", "[100-199, 201-299]", set("100-199, 201-299"));
        same("a bridge", "[100-299]", set("100-198, 200-299, 199"));
        same("inside", "[100-199]", set("100-199, 199, 100"));
        Register register = new Register();
        register.receive("1-3, 4-6, 10");
        same("left", 7L, register.left());
        same("gaps", "[7-9]", register.gaps().toString());
        same("line", "缺号: 7-9", ShortageReport.line(register));
    }

    private static void cutting() {
        same("middle", "[100-149, 151-199]", cut("100-199", "150"));
        same("first", "[101-199]", cut("100-199", "100"));
        same("last", "[100-198]", cut("100-199", "199"));
        same("all", "[]", cut("100-199", "100-199"));
        same("more than all", "[]", cut("100-199", "50-250"));
        same("single", "[]", cut("7", "7"));
        same("beside", "[100-199]", cut("100-199", "200-300, 99"));
        same("over two", "[1-2, 12-13]", cut("1-5, 9-13", "3-11"));
        againstNumbers();
    }

    /** Every pair of additions and one removal within a few numbers, against a plain set of numbers. */
    private static void againstNumbers() {
        List<Segment> all = new ArrayList<>();
        for (long from = 0; from < 6; from++) {
            for (long to = from; to < 6; to++) {
                all.add(new Segment(from, to));
            }
        }
        for (Segment one : all) {
            for (Segment two : all) {
                for (Segment out : all) {
                    TreeSet<Long> numbers = new TreeSet<>();
                    fill(numbers, one);
                    fill(numbers, two);
                    for (long number = out.first(); number <= out.last(); number++) {
                        numbers.remove(number);
                    }
                    SegmentSet set = new SegmentSet();
                    set.add(one);
                    set.add(two);
                    set.remove(out);
                    String what = one + " and " + two + " less " + out;
                    same(what, (long) numbers.size(), set.size());
                    for (long number = -1; number < 8; number++) {
                        same(what + " at " + number, numbers.contains(number), set.contains(number));
                    }
                }
            }
        }
    }

    private static void fill(TreeSet<Long> numbers, Segment segment) {
        for (long number = segment.first(); number <= segment.last(); number++) {
            numbers.add(number);
        }
    }

    private static void extremes() {
        long top = Long.MAX_VALUE;
        same("the last number", true, new Segment(top, top).contains(top));
        same("no wrap", false, new Segment(top, top).isNextTo(new Segment(Long.MIN_VALUE, Long.MIN_VALUE)));
        same("no wrap, turned", false, new Segment(Long.MIN_VALUE, 0).isNextTo(new Segment(5, top)));
        SegmentSet set = new SegmentSet();
        set.add(new Segment(top, top));
        set.add(new Segment(top - 5, top - 1));
        same("adjacent at the top", List.of(new Segment(top - 5, top)), set.segments());
        set.remove(new Segment(top, top));
        same("cut at the top", List.of(new Segment(top - 5, top - 1)), set.segments());
        set.add(new Segment(1, top));
        set.remove(new Segment(1, 1));
        same("cut at the start", List.of(new Segment(2, top)), set.segments());
    }

    private static String set(String text) {
        Register register = new Register();
        register.receive(text);
        return register.segments().toString();
    }

    private static String cut(String text, String out) {
        Register register = new Register();
        register.receive(text);
        register.cancel(out);
        return register.segments().toString();
    }

    private static void same(String what, Object wanted, Object found) {
        if (first.isEmpty() && !wanted.equals(found)) {
            first = what + ": wanted " + wanted + ", found " + found;
        }
    }

    private static void group(String name, Runnable tests) {
        first = "";
        try {
            tests.run();
        } catch (RuntimeException | StackOverflowError error) {
            first = first.isEmpty() ? error.toString() : first;
        }
        VERDICTS.add(name + "\t" + first);
    }
}
