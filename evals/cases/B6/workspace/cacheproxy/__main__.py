import os
import sys

from cacheproxy.cli import main

sys.exit(main(sys.argv[1:], os.environ))
