"""Run by the Python of LibreOffice's bridge, not imported: fills workbooks and writes what they say.

Arguments: the command of LibreOffice, and a folder with given.json, where found.json is written.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from typing import Any


def main(office: str, folder: str) -> None:
    """Start an office of its own, ask it, stop it."""
    import uno
    from com.sun.star.connection import NoConnectException

    pipe = f"treewright{os.getpid()}"
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [office, profile, "--headless", "--norestore", "--nologo", f"--accept=pipe,name={pipe};urp;"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        address = f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext"
        for _ in range(600):
            try:
                context = resolver.resolve(address)
                break
            except NoConnectException:
                time.sleep(0.2)
        desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        with open(os.path.join(folder, "given.json")) as file:
            given = json.load(file)
        hidden = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
        hidden.Name, hidden.Value = "Hidden", True
        found = [
            answered(desktop.loadComponentFromURL(each["file"], "_blank", 0, (hidden,)), each)
            for each in given
        ]
        with open(os.path.join(folder, "found.json"), "w") as file:
            json.dump(found, file)
        with contextlib.suppress(Exception):  # the bridge may be gone before it says so
            desktop.terminate()
    finally:
        try:
            running.wait(20)
        except subprocess.TimeoutExpired:
            running.kill()


def answered(document: Any, given: dict[str, Any]) -> list[list[Any]]:
    """Fill one workbook with each row and return what its outputs say."""
    sheet = document.Sheets.getByIndex(0)
    document.enableAutomaticCalculation(False)
    document.calculateAll()  # what asks for no cell is worked out here, and never again
    inputs = [sheet.getCellByPosition(column, row) for row, column in given["inputs"]]
    outputs = [sheet.getCellByPosition(column, row) for row, column in given["outputs"]]
    found = []
    for row in given["rows"]:
        for cell, value in zip(inputs, row, strict=True):
            if value is None:
                cell.setFormula("")
            elif isinstance(value, str):
                cell.setString(value)
            else:
                cell.setValue(value)
        document.calculate()
        found.append([content_of(cell) for cell in outputs])
    document.close(True)
    return found


def content_of(cell: Any) -> Any:
    """Return what a cell says; None where it is an error."""
    if cell.getError():
        return None
    return cell.getString() if cell.FormulaResultType2 == 2 else cell.getValue()


if __name__ == "__main__":
    main(*sys.argv[1:])
