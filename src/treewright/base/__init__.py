"""What every room may use: names, draws, threads, progress, files, lines of text. It knows of no tree."""
