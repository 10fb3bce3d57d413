import { existsSync } from 'node:fs';

/**
 * The headless shell comes first: it draws no windows, which takes most of the CPU time of the
 * others.
 */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser for the browser tests: `CHROMIUM`, or an installed browser. */
export function findChromium(): string | undefined {
  const { CHROMIUM: chosen } = process.env;
  return chosen ?? places.find((place) => existsSync(place));
}
