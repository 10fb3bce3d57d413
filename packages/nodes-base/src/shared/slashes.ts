/** A path without leading and trailing slashes. */
export function withoutOuterSlashes(text: string): string {
  return withoutFinalSlashes(text.replace(/^\/+/, ''));
}

/** A URL without trailing slashes, so that a path can be appended. */
export function withoutFinalSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, ''); // tried once per run of slashes, so that no address takes long
}
