import { decodeHTML } from 'entities';

const blocks = /^<\/?(?:h\d|br|p|ul|ol|li|blockquote|section|table|tr|div)\b/i;

/** The text in markup, one line per block. Takes linear time for any markup. */
export function htmlSnippet(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', at)) {
    const end = html.indexOf('>', start);
    if (end < 0) break;
    parts.push(html.slice(at, start));
    if (blocks.test(html.slice(start, start + 16))) parts.push('\n');
    at = end + 1;
  }
  parts.push(html.slice(at));
  return decodeHTML(parts.join('').replace(/\n{2,}/g, '\n')).trim();
}
