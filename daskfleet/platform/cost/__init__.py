"""What a stack costs, from its file alone; and Google's list prices, where those are asked for."""
