/** Other ways to the input items, and ways to names that the text does not show. */
const otherReads = /\$(?:binary|input|items?)\b|\bglobalThis\b|\bthis\b|\beval\b|\bFunction\b|\bconstructor\b|\\u|\\x/;
const mention = /\$json\b/g;
/** `.field` or `["field"]` behind `$json`, which is not called: a call may be a method that looks at the whole object. */
const field =
  /\s*(?:(?:\?\.|\.)\s*([A-Za-z_$][\w$]*)|(?:\?\.\s*)?\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])(?![\w$])(?!\s*(?:\?\.\s*)?[(`])/y;

const maxFields = 50;

/**
 * The fields of `$json` that the source text reads, where they are all that it reads of the input items; `undefined` where it
 * may read anything else. Mentions in texts and comments count as reads: they cost a field that nobody needs.
 */
export function jsonFieldsOf(text: string): string[] | undefined {
  if (otherReads.test(text)) return undefined;
  const fields = new Set<string>();
  for (const { index } of text.matchAll(mention)) {
    field.lastIndex = index + '$json'.length;
    const match = field.exec(text);
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    if (name === undefined || fields.size === maxFields) return undefined;
    fields.add(name);
  }
  return [...fields];
}
