/** Limits on credential data in a request. Stored data is not checked. */
export const credentialLimits = Object.freeze({
  /** Credential types have about a dozen fields. */
  fields: 1_000,
  bytesPerField: 64 * 1024,
  bytes: 1024 * 1024,
  /**
   * Redaction searches for 20 forms of each string: 150,000 strings cost 4 s and 300 MB in each
   * execution.
   */
  strings: 5_000,
});
