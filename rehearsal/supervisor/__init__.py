"""The detached process that hosts the emulated Google APIs and what runs behind them."""
