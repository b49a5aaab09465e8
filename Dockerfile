# The service on port 4117, as a user without rights. The vault and the state are volumes; COFFRE_TOKEN must be given.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production COFFRE_VAULT=/vault COFFRE_STATE=/state
RUN mkdir /vault /state && chown node:node /vault /state
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/templates ./templates
USER node
VOLUME ["/vault", "/state"]
EXPOSE 4117
# The entry page answers without a token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4117/').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The joined program: the libraries that only it needs are in it, and not in node_modules any more.
CMD ["node", "dist/bin/coffre.js", "serve", "--host", "0.0.0.0"]
