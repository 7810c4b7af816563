"""The program model: what a threaded program is, how it steps, and what others see of it."""
