"""Speed, side by side with other libraries in one run. One script per room; `./dev bench` runs them all."""
