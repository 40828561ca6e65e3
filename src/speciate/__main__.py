"""``python -m speciate`` is the command line."""

from speciate.cli.main import main

if __name__ == "__main__":
    main()
