import { Parser } from 'htmlparser2';
import type { FormatJson, FormatTasks } from './tasks.ts';

/** WordprocessingML elements → text that replaces them. */
const breaks: Readonly<Record<string, string>> = { 'w:br': '\n', 'w:cr': '\n', 'w:tab': '\t' };

/** `{ text }`: the text of a Word document, one line per paragraph, without formatting. */
export function readDocx({ xml }: FormatTasks['readDocx']['input']): FormatJson {
  const parts: string[] = [];
  let isText = false;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (name === 'w:t') isText = true;
        else if (Object.hasOwn(breaks, name)) parts.push(breaks[name] ?? '');
      },
      onclosetag: (name) => {
        if (name === 'w:t') isText = false;
        else if (name === 'w:p') parts.push('\n');
      },
      ontext: (text) => {
        if (isText) parts.push(text);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(new TextDecoder().decode(xml));
  return { text: parts.join('').trim() };
}
