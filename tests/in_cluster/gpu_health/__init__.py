"""Tests of what takes workers off nodes whose GPU is sick."""
