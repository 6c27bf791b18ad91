# The site for a hosted server; the same image serves pages, does jobs and migrates (see docker-compose.yml).
FROM python:3.11-slim-bookworm

# Pango and fonts: printing. The PostgreSQL client: backups, of the same release as the server in docker-compose.yml.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY . ./

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=/tmp/cache TAROT_DATA=/data TAROT_STATIC=/app/gathered
RUN python -m config.catalogues \
    && TAROT_DATA=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
    && python -m whitenoise.compress --quiet gathered \
    && rm -rf /tmp/build \
    && useradd --system --uid 10001 --no-create-home tarot \
    && install -d -m 700 -o tarot /data

USER tarot
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["python", "-m", "config.health"]
CMD ["python", "-m", "gunicorn", "-c", "python:config.gunicorn", "config.wsgi"]
