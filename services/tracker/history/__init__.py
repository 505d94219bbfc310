"""Pure rules over pull requests, versions and issues: bisect windows, suspects, backports, first builds, who touched
what.

All take rows (dicts) with the columns of the record contract; what a source does not offer may be absent or None.
"""
