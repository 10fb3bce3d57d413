import type { AnyNode, Element } from 'domhandler';

/** Elements that begin and end a line. */
const blocks: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section table tbody tfoot thead tr ul'
  ).split(' '),
);
const silent: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript']);

/** Text as it grows: no two blanks in a row, none where a line begins or ends. In parts, since a long text is not to be looked at again. */
class Lines {
  readonly #parts: string[] = [];
  #atLineStart = true;
  #blankPending = false;

  /** Takes text whose white space is single blanks. */
  add(text: string): void {
    const words = text.trim();
    if (text.startsWith(' ')) this.#blankPending = true;
    if (words === '') return;
    if (this.#blankPending && !this.#atLineStart) this.#parts.push(' ');
    this.#parts.push(words);
    this.#atLineStart = false;
    this.#blankPending = text.endsWith(' ');
  }

  /** Ends the line; an empty one only when `always`. */
  end(always: boolean): void {
    if (always || !this.#atLineStart) this.#parts.push('\n');
    this.#atLineStart = true;
    this.#blankPending = false;
  }

  toString(): string {
    return this.#parts.join('').trim();
  }
}

/**
 * The text of markup as one reads it: white space as single blanks, a line for each block element and each `<br>`. Recursive: the caller
 * has bounded the depth.
 */
export function readableText(nodes: Iterable<AnyNode>, isSkipped: (node: AnyNode) => boolean): string {
  const lines = new Lines();
  const visit = (node: AnyNode): void => {
    if (isSkipped(node)) return;
    if (node.type === 'text') lines.add(node.data.replace(/\s+/g, ' '));
    else if ('name' in node && 'children' in node && !silent.has(node.name)) visitElement(node);
  };
  const visitElement = ({ name, children }: Element): void => {
    const isBlock = blocks.has(name);
    if (isBlock || name === 'br') lines.end(name === 'br');
    children.forEach(visit);
    if (isBlock) lines.end(false);
  };
  for (const node of nodes) visit(node);
  return lines.toString();
}
