# Pegboard as a container: docs/containers.md. Another base has to have Node 24 or newer, and Debian's apt.
ARG NODE_IMAGE=docker.io/library/node:26-slim

# Builds the package as it is published, and installs it without what only development needs.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY tools/ tools/
COPY bin/ bin/
RUN npm ci --include=dev
COPY . .
RUN npm run build && npm pack ./dist --pack-destination /tmp
RUN npm install --global --prefix /opt/pegboard --omit=dev /tmp/pegboard-*.tgz

FROM ${NODE_IMAGE}
# tini passes signals on and collects ended processes; bubblewrap is for the sandbox, where the engine allows it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 pegboard \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data/user --shell /usr/sbin/nologin pegboard \
  && install -d -o 10001 -g 10001 -m 0700 /data /data/home /data/state /data/user
COPY --from=build /opt/pegboard /opt/pegboard
# All that is written is in the volume: the home, what its user approved, and the cache of npx. /tmp is a tmpfs.
ENV PATH=/opt/pegboard/bin:$PATH \
  HOME=/data/user \
  PEGBOARD_HOME=/data/home \
  XDG_STATE_HOME=/data/state
USER 10001:10001
WORKDIR /data/home
VOLUME /data
EXPOSE 3917
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3917/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "pegboard"]
CMD ["start", "--http", "0.0.0.0:3917"]
