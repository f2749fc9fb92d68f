"""Archives in batch: files, folders, tables, frames and Spark."""
