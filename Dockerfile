FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.types.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.mjs --quick

# The build bundles what the sandbox imports, so there are no packages to install here.
FROM node:24-bookworm-slim AS sandbox
WORKDIR /app
COPY package.json LICENSE ./
COPY scenarios scenarios
COPY scripts/container/entrypoint.sh ./
COPY --from=build /app/dist dist
# If nothing is mounted, the sandbox runs as the owner of this folder: `node`.
RUN mkdir /certs && chown node:node /certs
# The exposed ports. They override a sandbox.yaml that is also used without a container.
ENV NODE_ENV=production \
    SANDBOX_HOST=0.0.0.0 \
    SANDBOX_PORT=8443 \
    SANDBOX_ADMIN_HOST=0.0.0.0 \
    SANDBOX_ADMIN_PORT=8090 \
    SANDBOX_CERTS=/certs
EXPOSE 8443 8090
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s CMD ["node", "/app/dist/container.js", "health"]
ENTRYPOINT ["sh", "/app/entrypoint.sh", "node", "/app/dist/container.js"]
CMD ["start"]

# The clients of examples/ that need only Node.js, with their packages: `docker compose run --rm test`.
FROM node:24-bookworm-slim AS test
WORKDIR /suite
COPY package.json ./
COPY scripts/examples scripts/examples
COPY scripts/container scripts/container
COPY examples examples
RUN node scripts/container/install-examples.mjs
# The tests control the sandbox with the library of the image above.
COPY --from=sandbox /app ./
COPY test/examples/scenarios test/examples/scenarios
USER node
ENTRYPOINT ["node", "scripts/container/example-suite.mjs"]

# The default target.
FROM sandbox
