"""Every measurement: `python -m benchmarks`."""

from benchmarks import plain

if __name__ == "__main__":
    plain.main()
