import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of the browser for the browser tests: the one of `CHROMIUM`, or an installed one. */
export function findChromium(): string | undefined {
  const { CHROMIUM: chosen } = process.env;
  return chosen ?? places.find((place) => existsSync(place));
}
