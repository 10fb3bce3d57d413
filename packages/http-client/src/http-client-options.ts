export interface HttpClientOptions {
  /** `strict` means the same as `on` here: it adds other kinds of connections, which are not made by this client. */
  ssrfProtection: 'on' | 'strict' | 'off';
  /** CIDRs, addresses and exact host names that are allowed although the guard would refuse them. */
  ssrfAllow: readonly string[];
}
