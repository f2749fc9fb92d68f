# presidio-mx's own server. It needs no network but the one its callers come by, writes
# nothing, and runs without rights.
FROM python:3.12-slim

RUN useradd --create-home --uid 1001 presidio
COPY dist/presidio_mx-*.whl /tmp/
RUN wheel="$(ls /tmp/presidio_mx-*.whl)" \
    && python -m pip install --no-cache-dir "${wheel}[transformer,server]" \
    && rm "${wheel}" \
    && presidio-mx doctor
USER 1001
WORKDIR /home/presidio

EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/health', timeout=2)"]
# Callers must bring the token in PRESIDIO_MX_TOKEN; add --server-name for the name that
# they call it by.
ENTRYPOINT ["presidio-mx", "serve", "--host", "0.0.0.0", "--port", "8765", "--allow-remote"]
