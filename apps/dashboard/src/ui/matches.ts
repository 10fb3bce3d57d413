/** Whether each word of the search occurs in one of the strings, in any case. */
export function matches(search: string, texts: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word));
}
