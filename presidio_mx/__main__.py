"""``python -m presidio_mx``: the program, where it is not on the path."""

from presidio_mx.work.cli.program import main

if __name__ == "__main__":
    main()
