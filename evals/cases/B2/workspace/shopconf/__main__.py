import sys

from shopconf.cli import main

sys.exit(main(sys.argv[1:]))
