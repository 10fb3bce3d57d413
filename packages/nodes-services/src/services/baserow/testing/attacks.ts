import { type Attacks, accepted, manyObjects } from '../../../testing/attack.ts';

const inTable = { databaseId: 5, tableId: 9 };
const fields = `[${Array.from({ length: 1_000 }, (_, id) => `{"id":${id},"name":"f${id}"}`).join()}]`;
const isFields = (path: string) => path.includes('/fields/');

export const attacks: Attacks = {
  baserow: () => [
    {
      name: 'many values',
      parameters: {
        ...inTable,
        operation: 'create',
        fieldsUi: { fieldValues: Array.from({ length: 100_000 }, () => ({ fieldId: 1, fieldValue: 'x' })) },
      },
      answer: (path) => (isFields(path) ? fields : accepted()),
    },
    {
      name: 'an item with many members',
      parameters: { ...inTable, operation: 'create', dataToSend: 'autoMapInputData' },
      items: [Object.fromEntries(Array.from({ length: 300_000 }, (_, id) => [`f${id}`, 'x']))],
      answer: (path) => (isFields(path) ? fields : accepted()),
    },
    {
      name: 'a table with many fields',
      parameters: { ...inTable, operation: 'get', rowId: '1' },
      answer: () => manyObjects(900_000),
    },
    {
      name: 'many rows to write',
      parameters: { ...inTable, operation: 'batchCreate', rows: Array.from({ length: 10_000 }, () => ({ f1: 'x', f2: 'y' })) },
      answer: (path) => (isFields(path) ? fields : accepted()),
    },
    {
      name: 'rows with many members',
      parameters: { ...inTable, operation: 'getAll', returnAll: true },
      answer: (path) => (isFields(path) ? fields : `{"next":null,"results":[${manyMembers(2_000)}]}`),
    },
    {
      name: 'a row with many members',
      parameters: { ...inTable, operation: 'get', rowId: '1' },
      answer: (path) => (isFields(path) ? fields : `{${Array.from({ length: 200_000 }, (_, id) => `"field_${id}":1`).join()}}`),
    },
  ],
};

const manyMembers = (rows: number): string => {
  const row = `{${Array.from({ length: 300 }, (_, id) => `"field_${id}":1`).join()}}`;
  return Array.from({ length: rows }, () => row).join();
};
