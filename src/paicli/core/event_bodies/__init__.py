"""Bodies of events by what they tell of: `plans`, what passes between engine and `person`, what is `stored`.

`core.events` has all others, and the union of all. Imports only `core`.
"""
