"""What runs compared with what is declared, and who owns each difference. Writes nothing."""
