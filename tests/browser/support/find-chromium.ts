import { existsSync } from 'node:fs';

/** The headless shell has no windows of its own to draw, which takes most of the processor time of the others. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser for the browser tests: the one of `CHROMIUM`, or an installed one. */
export function findChromium(): string | undefined {
  const { CHROMIUM: chosen } = process.env;
  return chosen ?? places.find((place) => existsSync(place));
}
