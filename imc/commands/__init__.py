"""The commands, one file each, and the options they share."""
