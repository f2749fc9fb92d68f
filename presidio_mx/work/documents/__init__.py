"""Files in, files out: Word, PDF, RTF, HTML, mail, HL7, JSON and XML."""
