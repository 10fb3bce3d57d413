/** The path in a URL that anyone can write; `/` if it refers to another site. */
export function localPath(text: string | undefined, origin: string): string {
  const url = URL.parse(text ?? '/', origin);
  return url?.origin === origin ? url.pathname + url.search + url.hash : '/';
}
