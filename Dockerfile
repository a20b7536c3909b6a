# One image with the server, its web app, ffmpeg and yt-dlp. It runs as an ordinary user, writes only to /data and /tmp, and
# needs no environment variable. With several servers (deploy/compose.cluster.yaml) /archive and folders in /data are shared volumes,
# which get the owner of the folders here.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json vite.config.ts lingui.config.ts tsconfig.json LICENSE ./
COPY scripts scripts
COPY contract contract
COPY server server
COPY web web
RUN node scripts/image.mjs /image

FROM node:26-trixie-slim
RUN apt-get -o DPkg::Lock::Timeout=300 update \
 && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends ca-certificates ffmpeg python3 python3-pycryptodome python3-venv \
    mesa-va-drivers $(dpkg --print-architecture | sed -n 's/^amd64$/intel-media-va-driver/p') \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /app/yt-dlp \
 && /app/yt-dlp/bin/pip install --no-cache-dir "yt-dlp[default,curl-cffi]" \
 && install -d -o node -g node /data /data/backup /data/history /data/import /data/migrate /archive
WORKDIR /app
COPY --from=build /image .
RUN ln -s /app/scripts/cli.mjs /usr/local/bin/reelkeep
# The yt-dlp of the image is the initial version; newer ones are installed in /data.
ENV PATH=/app/yt-dlp/bin:$PATH NODE_ENV=production REELKEEP_DATA=/data REELKEEP_PORT=8000
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 CMD ["node", "dist-cli/healthcheck.mjs"]
CMD ["node", "scripts/start.mjs"]
