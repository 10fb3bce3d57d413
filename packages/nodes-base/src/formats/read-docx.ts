import { Parser } from 'htmlparser2';
import { readZip } from '../shared/zip-entries.ts';
import type { FormatJson, FormatTasks } from './tasks.ts';

/** WordprocessingML elements → text that replaces them. */
const breaks: Readonly<Record<string, string>> = { 'w:br': '\n', 'w:cr': '\n', 'w:tab': '\t' };

const limits = { maxBytes: 64 * 1024 * 1024, maxFiles: 10_000 };

/** `{ text }`: the text of a Word document, one line per paragraph, without formatting. */
export async function readDocx({ archive }: FormatTasks['readDocx']['input']): Promise<FormatJson> {
  const xml = new Map(await readZip(archive, limits)).get('word/document.xml');
  if (!xml) throw new Error('it is not a Word document');
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
