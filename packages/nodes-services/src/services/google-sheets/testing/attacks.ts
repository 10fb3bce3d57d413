import type { JsonObject } from '@sluice/node-sdk';
import { type Attack, type Attacks, columns, large, located, mapped } from '../../../testing/attack.ts';

const sheets = '{"sheets":[{"properties":{"sheetId":1,"title":"T"}}]}';
const sheetParameters = { documentId: located('d'), sheetName: located('T', 'name'), columns: mapped, options: {} };
const sheet = (operation: string, name: string, values: string, items?: JsonObject[]): Attack => ({
  name: `${operation}: ${name}`,
  parameters: { ...sheetParameters, operation },
  ...(items && { items }),
  answer: (path) => {
    if (!path.includes('/values')) return sheets;
    return path.includes(':batchGet') ? `{"valueRanges":[{"values":${values}}]}` : `{"values":${values}}`;
  },
});

export const attacks: Attacks = {
  evaluation: () => [
    {
      name: 'metrics of many items',
      parameters: {
        operation: 'setMetrics',
        metrics: { assignments: Array.from({ length: 20 }, (_, index) => ({ name: `m${index}`, value: 1 })) },
      },
      items: rows(10_000),
      answer: () => sheets,
    },
    {
      name: 'outputs of many items',
      parameters: { ...sheetParameters, outputs: { values: [{ outputName: 'o', outputValue: 'x' }] } },
      items: rows(50_000),
      answer: () => sheets,
    },
  ],
  'evaluation-trigger': () => [
    {
      name: 'many rows',
      parameters: { documentId: located('d'), sheetName: located('T', 'name') },
      answer: (path) => (path.includes('/values') ? `{"values":[["a"]${',["x"]'.repeat(500_000)}]}` : sheets),
    },
  ],
  'google-sheets': () => [
    sheet('read', 'one name for all columns', `[[${'"a",'.repeat(18_000)}"a"],["x"]]`),
    sheet('read', 'many rows for many items', `[["a"]${',["x"]'.repeat(100_000)}]`, rows(1_000)),
    sheet('read', 'many empty rows', `[["a"]${',[""]'.repeat(1_500_000)}]`),
    sheet('append', 'a column for each item', '[["a"]]', columns(30_000)),
    sheet('append', 'a large item', '[["a"]]', [large()]),
    sheet('update', 'many rows', `[["a"]${',["x"]'.repeat(500_000)}]`, rows(50_000)),
    sheet('appendOrUpdate', 'many rows', `[["a"]${',["x"]'.repeat(500_000)}]`, columns(10_000)),
  ],
  'google-sheets-trigger': () => [
    {
      name: 'many new rows',
      parameters: { documentId: 'd', sheetName: located('T', 'name'), event: 'anyUpdate', options: {} },
      cursor: { marks: Array.from({ length: 60_000 }, (_, id) => `mark${id}`) },
      answer: (path) => (path.includes('/values') ? `{"values":[["a"]${',["x"]'.repeat(60_000)}]}` : sheets),
    },
    {
      name: 'too many rows',
      parameters: { documentId: 'd', sheetName: located('T', 'name'), event: 'anyUpdate', options: {} },
      cursor: { marks: [] },
      answer: (path) => (path.includes('/values') ? `{"values":[["a"]${',["x"]'.repeat(1_500_000)}]}` : sheets),
    },
  ],
};

function rows(count: number): JsonObject[] {
  return Array.from({ length: count }, () => ({ a: 'x', b: 1 }));
}
