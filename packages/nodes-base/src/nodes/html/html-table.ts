import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

const lined = 'margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee';
const styles = {
  table: `style='border-spacing:0; font-family:helvetica,arial,sans-serif'`,
  head: `style='${lined}; text-align:left; color:#888; font-weight:normal'`,
  cell: `style='${lined}'`,
};
const unstyled: typeof styles = { table: '', head: '', cell: '' };

/** The items as one HTML table, a column for each field that occurs. Values go in as they are, so that they may hold markup. */
export function htmlTable(context: ExecuteContext, rows: readonly JsonObject[]): string {
  const text = (name: string) => textParameter(context, `options.${name}`, 0);
  const style = booleanParameter(context, 'options.customStyling', 0, false) ? unstyled : styles;
  const capitalize = booleanParameter(context, 'options.capitalize', 0, false);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = `<td ${style.cell} ${text('cellAttributes')}>`;
  const row = `<tr  ${text('rowAttributes')}>`;
  const header = columns.map((column) => `<th>${capitalize ? capitalized(column) : column}</th>`).join('');
  const body = rows.map((json) => `${row}${columns.map((column) => `${cell}${cellContent(json, column)}</td>`).join('')}</tr>`);
  const caption = text('caption');
  return [
    `<table ${style.table} ${text('tableAttributes')}>`,
    caption && `<caption>${caption}</caption>`,
    `<thead ${style.head} ${text('headerAttributes')}><tr>${header}</tr></thead>`,
    `<tbody>${body.join('')}</tbody>`,
    '</table>',
  ].join('');
}

function cellContent(json: JsonObject, column: string): string {
  const value: JsonValue | undefined = Object.hasOwn(json, column) ? json[column] : undefined;
  if (typeof value === 'boolean') return `<input type="checkbox" ${value ? 'checked="checked"' : ''}/>`;
  return valueText(value);
}

/** A value within HTML. Missing ones are empty, lists of plain values have commas, and objects are JSON. */
export function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `last_name` → `Last Name`. */
function capitalized(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
