const maxLength = 128;

/** `base`, or with the lowest number from 2 that is not in `usedNames`. At most 128 code points. */
export function uniqueName(base: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(base)) return base;
  for (let number = 2; ; number++) {
    const name = withSuffix(base, ` ${number}`);
    if (!usedNames.has(name)) return name;
  }
}

/** The prefix of `base` that all derived names share, up to a million of them. */
export function commonStart(base: string): string {
  return cut(base, maxLength - 8);
}

function withSuffix(base: string, suffix: string): string {
  return cut(base, maxLength - suffix.length) + suffix;
}

function cut(text: string, codePoints: number): string {
  return [...text].slice(0, codePoints).join('');
}
