"""Background passes over the sources that serve: `frame` says what a pass is, `runner` runs the ones of `passes`."""
