"""What a test's CI runs say about it: pure rules from runs or their daily roll-ups to a verdict.

Way of the data: rows of `checks` -> `cells.cells_of` (counts per hour, commit, pull request, check and runner) ->
`verdict.judge`. A day's cells are what `qa_test_daily` holds (`rollup`), so that roll-ups and raw runs give the same
verdict by construction. Which windows were storms comes from one aggregate over all tests (`storms`).
"""
