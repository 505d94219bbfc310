"""Generators and checks that developers run; nothing here is served."""
