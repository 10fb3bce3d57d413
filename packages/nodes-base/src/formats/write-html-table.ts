import { escapeHtml } from '../shared/escape-html.ts';
import type { Cell } from './tasks.ts';

/**
 * An HTML page with one table. All values are written as text; `data-t` keeps the cell type for
 * readers.
 */
export function writeHtmlTable(rows: readonly (readonly Cell[])[], title: string): Uint8Array {
  const body = rows.map((row) => `<tr>${row.map(htmlCell).join('')}</tr>`).join('\n');
  const head = `<head><meta charset="utf-8"/><title>${escapeHtml(title)}</title></head>`;
  return Buffer.from(`<!DOCTYPE html>\n<html>${head}<body><table>\n${body}\n</table></body></html>\n`);
}

function htmlCell(cell: Cell): string {
  switch (typeof cell) {
    case 'string':
      return `<td data-t="s">${escapeHtml(cell).replace(/\r\n|\r|\n/g, '<br/>')}</td>`;
    case 'number':
      return `<td data-t="n">${cell}</td>`;
    case 'boolean':
      return `<td data-t="b">${cell ? 'TRUE' : 'FALSE'}</td>`;
    default:
      return '<td></td>';
  }
}
