"""Names of months and weekdays in several languages, as tables have them: whole, or their first letters."""

from __future__ import annotations

_MONTHS = (
    "january jan januar jänner janvier janv gennaio gen enero ene januari janeiro styczeń",
    "february feb februar fevrier février févr febbraio febrero februari fevereiro fev luty",
    "march mar märz mrz mars marzo maart mrt março marzec",
    "april apr avril avr aprile abril abr kwiecień",
    "may mai maggio mag mayo mei maio maj",
    "june jun juni juin giugno giu junio junho czerwiec",
    "july jul juli juillet juil luglio lug julio julho lipiec",
    "august aug août aout agosto ago augustus sierpień",
    "september sep sept septembre settembre set septiembre setembro wrzesień",
    "october oct oktober okt octobre ottobre ott octubre outubro out październik",
    "november nov novembre noviembre novembro listopad",
    "december dec dezember dez décembre decembre déc dicembre dic diciembre dezembro grudzień",
)
MONTHS = {name: place for place, names in enumerate(_MONTHS, start=1) for name in names.split()}
_WEEKDAYS = """monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri
saturday sat sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa
sonntag so lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim
lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato"""
WEEKDAYS = frozenset(_WEEKDAYS.split())
