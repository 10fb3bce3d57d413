import tls from 'node:tls';

/**
 * Rejects TLS 1.2 key exchanges in a group of the server's choice, for every connection of this
 * process or thread, even if a library starts TLS: a group of 10,000 bits blocks the event loop for
 * 0.6 s. Servers of the last fifteen years offer elliptic curves.
 */
tls.DEFAULT_CIPHERS = `${tls.DEFAULT_CIPHERS}:!DHE`;
