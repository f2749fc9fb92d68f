"""Corpora, training, evaluation, risk, cohorts."""
