"""The slow plain twin of growing and routing: what you would put on a blackboard.

Nothing here imports the compiled core. Tables and trees are read by their fields only, so the twin also
works on its own `PlainTable`. Read in the order data meets the files: `plain`, `criteria`, `settings`,
`node`, `missing`, `splits`, `surrogate`, `route`, `c45`, `grow`, `judge`.
"""
