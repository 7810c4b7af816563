"""The program model: what a threaded program is, how it steps, and what of it other threads can see."""
