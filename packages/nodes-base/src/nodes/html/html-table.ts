import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

const ownStyle = 'style="border-collapse: collapse; font-family: sans-serif"';
const ownCellStyle = 'style="border: 1px solid #ccc; padding: 4px 8px; text-align: left"';

/** The items as one HTML table, a column for each field that occurs. Values go in as they are, so that they may hold markup. */
export function htmlTable(context: ExecuteContext, rows: readonly JsonObject[]): string {
  const text = (name: string) => textParameter(context, `options.${name}`, 0);
  const styled = !booleanParameter(context, 'options.customStyling', 0, false);
  const capitalize = booleanParameter(context, 'options.capitalize', 0, false);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = opening('td', text('cellAttributes'), styled && ownCellStyle);
  const heading = opening('th', text('cellAttributes'), styled && ownCellStyle);
  const row = opening('tr', text('rowAttributes'));
  const header = columns.map((column) => `${heading}${capitalize ? capitalized(column) : column}</th>`).join('');
  const body = rows.map((json) => `${row}${columns.map((column) => `${cell}${cellContent(json, column)}</td>`).join('')}</tr>`);
  const caption = text('caption');
  return [
    opening('table', text('tableAttributes'), styled && ownStyle),
    caption && `<caption>${caption}</caption>`,
    `<thead>${opening('tr', text('headerAttributes'))}${header}</tr></thead>`,
    `<tbody>${body.join('')}</tbody>`,
    '</table>',
  ].join('');
}

function opening(tag: string, attributes: string, style: string | false = false): string {
  return `<${[tag, style, attributes].filter(Boolean).join(' ')}>`;
}

function cellContent(json: JsonObject, column: string): string {
  const value: JsonValue | undefined = Object.hasOwn(json, column) ? json[column] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return `<input type="checkbox"${value ? ' checked="checked"' : ''}/>`;
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
