"""Tests of the page of a running fleet."""
