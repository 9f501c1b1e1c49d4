"""What treewright is made of and rests on: licences, oldest versions, the bill of materials of a wheel."""
