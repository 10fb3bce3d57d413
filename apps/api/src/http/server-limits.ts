/** Connection limits of the HTTP server, in milliseconds and bytes. Slow senders are disconnected at most a second late. */
export const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};
