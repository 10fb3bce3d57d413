import { type DataTableInfo, dataColumnTypes, type ExecuteContext, type Item, type JsonObject } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { booleanParameter, listParameter, requiredText, textParameter, wrongParameter } from '../../shared/parameters.ts';
import type { TableFinder } from './find-table.ts';

interface TableCall {
  context: ExecuteContext;
  finder: TableFinder;
  itemIndex: number;
}

export const tableOperationNames = ['list', 'create', 'update', 'delete'] as const;

/** Operations on tables. Each resolves to the items for one input item. */
export const tableOperations: Readonly<
  Record<(typeof tableOperationNames)[number], (call: TableCall) => Promise<Item | Item[]>>
> = {
  async list({ context, finder, itemIndex }) {
    const filter = textParameter(context, 'options.filterName', itemIndex) || undefined;
    const tables = await finder.tables.list(filter, context.signal);
    return tables.map((table) => asItem(table, itemIndex));
  },
  async create({ context, finder, itemIndex }) {
    const name = requiredText(context, 'tableName', itemIndex);
    const reuse = booleanParameter(context, 'options.createIfNotExists', itemIndex, false);
    const same = reuse ? await finder.tables.list(name, context.signal) : [];
    const existing = same.find((table) => table.name === name);
    return asItem(existing ?? (await finder.tables.create(name, columnsOf(context, itemIndex))), itemIndex);
  },
  async update({ context, finder, itemIndex }) {
    const { id } = await finder.find(itemIndex);
    return asItem(await finder.tables.rename(id, requiredText(context, 'newName', itemIndex)), itemIndex);
  },
  async delete({ finder, itemIndex }) {
    const { id } = await finder.find(itemIndex);
    await finder.tables.delete(id);
    return { json: { success: true, id }, pairedItem: { item: itemIndex } };
  },
};

function columnsOf(context: ExecuteContext, itemIndex: number) {
  return listParameter(context, 'columns.column', itemIndex).map(({ name = '', type = 'string' }) => {
    const columnType = dataColumnTypes.find((candidate) => candidate === type);
    if (columnType === undefined)
      throw wrongParameter('columns.column.type', `one of ${dataColumnTypes.join(', ')}`, type, itemIndex);
    return { name: stringOf(name), type: columnType };
  });
}

function asItem({ id, name, columns }: DataTableInfo, itemIndex: number): Item {
  const json: JsonObject = { id, name, columns: columns.map((column) => ({ ...column })) };
  return { json, pairedItem: { item: itemIndex } };
}
