"""What is known of a program without running it: who shares what, what lives, what loops."""
