"""The record contract as data, and the pure rules that judge a record by it."""
