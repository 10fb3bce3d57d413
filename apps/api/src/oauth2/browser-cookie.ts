import type { Request, Response } from 'express';

/** Binds a consent to the browser that opened its page. */
interface BrowserCookie {
  /** Differs for each consent, so that one browser can have several in progress. */
  name: string;
  value: string;
  expiresAt: Date;
}

/** `Lax`: the callback is a top-level navigation from the site of the service. */
export function setBrowserCookie(response: Response, { name, value, expiresAt }: BrowserCookie): void {
  const secure = name.startsWith('__Host-');
  response.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : '/oauth2', expires: expiresAt });
}

/** All cookies of a request by name; the first one wins if a name repeats. */
export function cookiesOf({ headers }: Pick<Request, 'headers'>): ReadonlyMap<string, string> {
  const pairs = (headers.cookie ?? '').split(';').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
  return new Map(pairs.reverse());
}
