"""Where notes come from and go to: documents, tables, servers, the command line."""
