"""What enforcement costs or gains: measurements, and the search for the fastest schedule."""
