"""Tests of the engine's runs and what they leave behind."""
