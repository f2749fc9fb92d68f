"""A cohort of discharge summaries, as da Silva and Pazin-Filho (2025) prepared it.

Four phases: notes are cleaned, de-identified by any detector, enriched by what a study
needs (ICD codes, Charlson score, length of stay, age band of the patient), and those
facts are put back behind the text.
"""
