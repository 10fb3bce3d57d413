/** A path without slashes at its start and its end. */
export function withoutOuterSlashes(text: string): string {
  return withoutFinalSlashes(text.replace(/^\/+/, ''));
}

/** An address without slashes at its end, so that a path can be put behind it. */
export function withoutFinalSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, ''); // tried once for each run of slashes, so that no address takes long
}
