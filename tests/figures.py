"""Figures as the pages of the documentation give them."""


def figures_of(path):
    """Return the rows of a page's table of figures, each group under its notes."""
    rows, notes = {}, ""
    for line in path.read_text("utf-8").splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if line.startswith("| `heldout_") and len(cells) >= 6:
            notes = cells[0].split("`")[1]
        elif not line.startswith("| |"):
            notes = ""
        if notes:
            rows.setdefault(notes, []).append([float(cell) for cell in cells[2:]])
    return rows
