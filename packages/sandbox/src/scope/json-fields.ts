/** Other ways to read the input items, and syntax that hides names from the text. */
const otherReads =
  /\$(?:data|binary|input|items?|thisItem)\b|\bglobalThis\b|\bthis\b|\beval\b|\bFunction\b|\bconstructor\b|\\u|\\x/;
const mention = /\$json\b/g;
/**
 * `.field` or `["field"]` after `$json`, without a call, because a call may be a method that reads
 * the whole object.
 */
const field =
  /\s*(?:(?:\?\.|\.)\s*([A-Za-z_$][\w$]*)|(?:\?\.\s*)?\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])(?![\w$])(?!\s*(?:\?\.\s*)?[(`])/y;

const maxFields = 50;

/**
 * The fields of `$json` that the source reads, if it reads nothing else from the input items;
 * otherwise `undefined`. Mentions in strings and comments count as reads, at the cost of an
 * unneeded field.
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
