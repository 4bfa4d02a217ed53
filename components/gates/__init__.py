"""What an `up` waits for: clusters that are ready, rolls that are over, workers that retired."""
