"""What stands before the routes, in this order: pressure, CORS, rate limits, cache."""
