"""What happens while the machine is idle: memory tests itself, and keeps only what measurably helps."""
