import sys

from pricefeed.report import report
from pricefeed.suppliers import ask, load

suppliers = load(sys.argv[1])
print(report(suppliers, ask), end="")
