FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.types.json ./
COPY scripts scripts
COPY src src
RUN node scripts/build.mjs --quick

# The build bundles what the sandbox imports, so there are no packages to install here.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json LICENSE ./
COPY scenarios scenarios
COPY --from=build /app/dist dist
# Where nothing is mounted, the sandbox runs as the owner of this folder: `node`.
RUN mkdir /certs && chown node:node /certs
ENV NODE_ENV=production \
    SANDBOX_HOST=0.0.0.0 \
    SANDBOX_ADMIN_HOST=0.0.0.0 \
    SANDBOX_CERTS=/certs
EXPOSE 8443 8090
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s CMD ["node", "/app/dist/container.js", "health"]
ENTRYPOINT ["node", "/app/dist/container.js"]
CMD ["start"]
