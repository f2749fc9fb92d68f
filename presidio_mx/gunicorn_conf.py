"""A gunicorn configuration that makes the suite known to a stock Presidio server.

    GUNICORN_CMD_ARGS="-c python:presidio_mx.gunicorn_conf"

gunicorn imports it before the application. The analyzer server then finds our
recognizers, in one configuration file or several; the anonymizer server finds our
operators. It sets nothing of gunicorn itself.
"""

from presidio_mx.work.service.schema import register

register()
