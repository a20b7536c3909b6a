# One image with everything in it: the program, its web app, ffmpeg and yt-dlp. It runs as an ordinary user, writes below
# /data and /tmp alone, and needs no variable to be set.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json vite.config.ts lingui.config.ts tsconfig.json LICENSE ./
COPY bin bin
COPY contract contract
COPY server server
COPY web web
RUN node bin/image.mjs /image

FROM node:26-trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates ffmpeg python3 python3-venv \
 && rm -rf /var/lib/apt/lists/* \
 && python3 -m venv /opt/yt-dlp \
 && /opt/yt-dlp/bin/pip install --no-cache-dir "yt-dlp[default]" \
 && ln -s /opt/yt-dlp/bin/yt-dlp /usr/local/bin/yt-dlp \
 && install -d -o node -g node /data
WORKDIR /app
COPY --from=build /image .
ENV NODE_ENV=production REELKEEP_DATA=/data REELKEEP_PORT=8000
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 CMD ["node", "dist-console/healthcheck.mjs"]
CMD ["node", "bin/start.mjs"]
