"""The semantics over unknown values: terms, places, steps. Verifier and checker share it."""
