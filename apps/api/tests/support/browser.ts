interface Cookie {
  origin: string;
  path: string;
  name: string;
  value: string;
}

/** Page that a browser shows: after redirects, at its final address. */
export interface Page {
  url: URL;
  status: number;
  text: string;
}

const maxRedirects = 10;

/**
 * A browser without scripts: follows redirects, submits forms, and keeps cookies by origin and
 * path.
 */
export class Browser {
  readonly #servers: ReadonlyMap<string, string>;
  #cookies: Cookie[] = [];

  /**
   * @param servers origin → origin of the server that responds for it; other origins respond
   * themselves.
   */
  constructor(servers: ReadonlyMap<string, string> = new Map()) {
    this.#servers = servers;
  }

  async open(address: string | URL, form?: URLSearchParams): Promise<Page> {
    let url = new URL(address);
    let body = form;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await this.#request(url, body);
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error(`more than ${maxRedirects} redirects, the last to ${url}`);
  }

  /** Submits the form of a page, with the values of its hidden inputs and `fields`. */
  submit({ url, text }: Page, fields: Record<string, string> = {}): Promise<Page> {
    const action = /<form\b[^>]*\baction="([^"]+)"/.exec(text)?.[1];
    if (action === undefined) throw new Error(`there is no form on the page: ${text}`);
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return this.open(new URL(action, url), form);
  }

  async #request(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const server = this.#servers.get(url.origin) ?? url.origin;
    const sent = this.#cookies.filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path));
    const response = await fetch(`${server}${url.pathname}${url.search}`, {
      redirect: 'manual',
      headers: {
        cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(form && { 'sec-fetch-site': 'same-origin' }),
      },
      ...(form && { method: 'POST', body: form }),
    });
    for (const header of response.headers.getSetCookie()) this.#keep(url.origin, header);
    return response;
  }

  /** Replaces the cookie of the same name and path. An expired cookie only removes it. */
  #keep(origin: string, header: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    const path = /; *path=([^;]*)/i.exec(header)?.[1] ?? '/';
    const expires = /; *expires=([^;]*)/i.exec(header)?.[1];
    this.#cookies = this.#cookies.filter(
      (other) => [other.origin, other.path, other.name].join() !== [origin, path, name].join(),
    );
    if (expires === undefined || Date.parse(expires) > Date.now()) this.#cookies.push({ origin, path, name, value });
  }
}
