"""What every process here stands on; it knows no plane."""
