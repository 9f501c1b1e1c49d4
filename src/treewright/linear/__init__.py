"""Linear classifiers: functions from matrices to frozen values."""
