# The base image by its digest: the same files for everybody. `npm run renew:base` takes the newest digest of the tag.
# Docker's old builder, which does not set BUILDPLATFORM, takes the tag: an engine that reaches no registry can have an image of that name.
ARG BASE=${BUILDPLATFORM:+node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20}
FROM node:24-bookworm-slim AS by-tag

FROM ${BASE:-by-tag} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.types.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.mjs --quick

# The build bundles what the sandbox imports, so there are no packages to install here.
FROM ${BASE:-by-tag} AS sandbox
WORKDIR /app
COPY package.json LICENSE ./
COPY scenarios scenarios
COPY scripts/container/entrypoint.sh ./
COPY --from=build /app/dist dist
# In a clone that was made with the umask 077, only its owner may read the files, and the sandbox does not run as root.
RUN chmod -R a+rX .
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
FROM ${BASE:-by-tag} AS test
WORKDIR /suite
COPY package.json ./
COPY scripts/examples scripts/examples
COPY scripts/container scripts/container
COPY examples examples
COPY test/examples/scenarios test/examples/scenarios
RUN chmod -R a+rX .
RUN node scripts/container/install-examples.mjs
# The tests control the sandbox with the library of the image above.
COPY --from=sandbox /app ./
USER node
ENTRYPOINT ["node", "scripts/container/example-suite.mjs"]

# The default target.
FROM sandbox
