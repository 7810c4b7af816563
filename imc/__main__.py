"""`python -m imc`."""

from imc.cli import main

main()
