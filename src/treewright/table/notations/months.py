"""Names of months and weekdays in several languages, as tables have them: whole, or their first letters."""

from __future__ import annotations

# One month a line, in their order; a line that begins with a space goes on with the month before.
_MONTHS = """\
january jan januar jänner jän janvier janv gennaio gen enero ene januari janeiro styczeń stycznia
  января янв ledna leden ocak
february feb februar fevrier février févr febbraio febrero februari fevereiro fev luty lutego
  февраля фев února únor şubat
march mar märz mrz mars marzo maart mrt março marzec marca marts марта мар března březen mart
april apr avril avr aprile abril abr kwiecień kwietnia апреля апр dubna duben nisan
may mai maggio mag mayo mei maio maj maja мая května květen mayıs
june jun juni juin giugno giu junio junho czerwiec czerwca июня июн června červen haziran
july jul juli juillet juil luglio lug julio julho lipiec lipca июля июл července červenec temmuz
august aug août aout agosto ago augustus augusti sierpień sierpnia августа авг srpna srpen ağustos
september sep sept septembre settembre set septiembre setembro wrzesień września сентября сен září
  eylül
october oct oktober okt octobre ottobre ott octubre outubro out październik października октября окт
  října říjen ekim
november nov novembre noviembre novembro listopad listopada ноября ноя listopadu kasım
december dec dezember dez décembre decembre déc dicembre dic diciembre dezembro grudzień grudnia
  декабря дек prosince prosinec aralık"""
_LINES = _MONTHS.replace("\n ", "").split("\n")
MONTHS = {name: place for place, names in enumerate(_LINES, start=1) for name in names.split()}
_WEEKDAYS = """monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri
saturday sat sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa
sonntag so lundi lun mardi mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim
lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato"""
WEEKDAYS = frozenset(_WEEKDAYS.split())
