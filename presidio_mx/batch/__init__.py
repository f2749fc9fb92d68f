"""Archives in batch: files, folders, tables, frames and Spark, never losing a row."""
