import { type ExecuteContext, type JsonObject, type JsonValue, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

const lined = 'margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee';
const styles = {
  table: `style='border-spacing:0; font-family:helvetica,arial,sans-serif'`,
  head: `style='${lined}; text-align:left; color:#888; font-weight:normal'`,
  cell: `style='${lined}'`,
};
const unstyled: typeof styles = { table: '', head: '', cell: '' };

/**
 * Maximum number of characters in a table. Each row has a cell for every field of any item, so the
 * table may be far larger than the items.
 */
const maxLength = 48 * 1024 * 1024;

/**
 * The items as one HTML table with a column for each field that occurs. Values are inserted
 * unescaped, so they may contain markup. Built in time slices. Throws a `NodeOperationError` for a
 * table that is too long.
 */
export async function htmlTable(context: ExecuteContext, rows: readonly JsonObject[]): Promise<string> {
  const text = (name: string) => textParameter(context, `options.${name}`, 0);
  const style = booleanParameter(context, 'options.customStyling', 0, false) ? unstyled : styles;
  const capitalize = booleanParameter(context, 'options.capitalize', 0, false);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = `<td ${style.cell} ${text('cellAttributes')}>`;
  const row = `<tr  ${text('rowAttributes')}>`;
  const header = columns.map((column) => `<th>${capitalize ? capitalized(column) : column}</th>`).join('');
  const rowOf = (json: JsonObject) =>
    `${row}${columns.map((column) => `${cell}${cellContent(json, column)}</td>`).join('')}</tr>`;
  const caption = text('caption');
  return [
    `<table ${style.table} ${text('tableAttributes')}>`,
    caption && `<caption>${caption}</caption>`,
    `<thead ${style.head} ${text('headerAttributes')}><tr>${header}</tr></thead>`,
    `<tbody>${await joined(rows, rowOf)}</tbody>`,
    '</table>',
  ].join('');
}

async function joined(rows: readonly JsonObject[], rowOf: (json: JsonObject) => string): Promise<string> {
  const slice = new TimeSlice();
  let text = '';
  for (const row of rows) {
    text += rowOf(row);
    if (text.length > maxLength)
      throw new NodeOperationError(`the table has more than ${maxLength} characters`, {
        description: 'Keep the fields that you need with an "Edit Fields" node first, or give the node fewer items',
      });
    if (slice.isOver) await slice.next();
  }
  return text;
}

function cellContent(json: JsonObject, column: string): string {
  const value: JsonValue | undefined = Object.hasOwn(json, column) ? json[column] : undefined;
  if (typeof value === 'boolean') return `<input type="checkbox" ${value ? 'checked="checked"' : ''}/>`;
  return valueText(value);
}

/**
 * A value in HTML. Missing values are empty, lists of plain values are comma-separated, and objects
 * are JSON.
 */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `last_name` → `Last Name`. */
function capitalized(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
