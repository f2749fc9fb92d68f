"""Operators, profiles and surrogates: what stands for an entity that was found."""
