const maxLength = 128;

/** `base`, or with the lowest number from 2 on that makes it differ from every name in `taken`. At most 128 code points. */
export function uniqueName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const name = withSuffix(base, ` ${number}`);
    if (!taken.has(name)) return name;
  }
}

/** The part of `base` that every name made from it begins with, as long as there are fewer than a million. */
export function commonStart(base: string): string {
  return cut(base, maxLength - 8);
}

function withSuffix(base: string, suffix: string): string {
  return cut(base, maxLength - suffix.length) + suffix;
}

function cut(text: string, codePoints: number): string {
  return [...text].slice(0, codePoints).join('');
}
