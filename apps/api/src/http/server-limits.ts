/** What the HTTP server holds connections to: milliseconds, and bytes. Whoever sends too slowly is cut off at most a second late. */
export const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};
