import { describe, expect, test } from '@jest/globals';
import type { JsonObject, SeenHistory } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '../../testing/fake-context.ts';
import { removeDuplicates } from './remove-duplicates.ts';

const json = [
  { id: 1, o: { a: 1, b: 1 } },
  { id: 2, o: { b: 1, a: 1 } },
  { o: { a: 1, b: 1 }, id: 1 },
  { id: 1, o: { a: 1, b: 2 } },
];

describe.each([1, 1.1, 2])('remove duplicates %d', (typeVersion) => {
  const outputOf = async (parameters: JsonObject) => {
    const [items] = await runNode(removeDuplicates, { json, parameters, typeVersion });
    return items?.map(({ pairedItem }) => pairedItem);
  };
  const at = (...indexes: number[]) => indexes.map((item) => ({ item }));

  test.each<[JsonObject, number[]]>([
    [{}, [0, 1, 3]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'id' }, [0, 3]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'o' }, [0, 1, 3]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'o', options: { disableDotNotation: true } }, [0, 1]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'o.b, id' }, [0]],
    [{ compare: 'selectedFields', fieldsToCompare: 'o.a' }, [0]],
    [{ compare: 'selectedFields', fieldsToCompare: 'id, o.b' }, [0, 1, 3]],
  ])('%j keeps items %j', async (parameters, expected) => {
    expect(await outputOf(parameters)).toEqual(at(...expected));
  });

  test('a field name with dots is kept if other fields are removed', async () => {
    const parameters = { compare: 'selectedFields', fieldsToCompare: 'd.e', options: { removeOtherFields: true } };
    expect(await runForJson(removeDuplicates, { json: [{ 'd.e': 1, a: 2 }], parameters })).toEqual([{ 'd.e': 1 }]);
  });

  test('omits the fields that are not compared with the option', async () => {
    const parameters = { compare: 'selectedFields', fieldsToCompare: 'o.b', options: { removeOtherFields: true } };
    expect(await runForJson(removeDuplicates, { json, parameters, typeVersion })).toEqual([{ o: { b: 1 } }, { o: { b: 2 } }]);
  });

  test.each<[JsonObject, string[]]>([
    [{ compare: 'selectedFields', fieldsToCompare: 'a' }, ['{"a":null}']],
    [{}, ['{"a":null}']],
  ])('%j: null is a value of lists and objects before version 1.1, later of any type', async (parameters, expected) => {
    const json = [{ a: null }, { a: 1 }];
    const run = runForJson(removeDuplicates, { json, parameters, typeVersion });
    if (typeVersion < 1.1) await expect(run).rejects.toMatchObject({ message: expect.stringContaining('"a"'), itemIndex: 1 });
    else expect((await run).map((item) => JSON.stringify(item))).toEqual([...expected, '{"a":1}']);
  });

  test.each<[JsonObject[], JsonObject]>([
    [[{ a: 1 }, { a: 1, b: 1 }], {}],
    [[{ a: { x: 1 } }, { a: {} }], {}],
    [[{ a: [1] }, { a: [1, 2] }], {}],
    [[{ a: 1, b: 1 }, { a: 1 }], { compare: 'allFieldsExcept', fieldsToExclude: 'c' }],
    [[{ a: 1 }, { a: 1, b: 1 }], { compare: 'allFieldsExcept', fieldsToExclude: 'c', options: { disableDotNotation: true } }],
  ])('a compared field that an item lacks is an error: %j with %j', async (input, parameters) => {
    await expect(runForJson(removeDuplicates, { json: input, parameters, typeVersion })).rejects.toThrow('which is compared');
  });

  test('items with more fields than the first item are kept if some fields are excluded', async () => {
    const input: JsonObject[] = [{ a: 1 }, { a: 1, b: 1 }, { a: 1 }];
    const parameters = { compare: 'allFieldsExcept', fieldsToExclude: 'c' };
    expect(await runForJson(removeDuplicates, { json: input, parameters, typeVersion })).toEqual([{ a: 1 }, { a: 1, b: 1 }]);
  });

  test('the error for a field with several types contains the field and the item', async () => {
    const run = runNode(removeDuplicates, { json: [{ a: 1 }, { a: 2 }, { a: '1' }], typeVersion });
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining('"a"'), itemIndex: 2 });
  });

  test.each([
    [{ compare: 'selectedFields' }, '"fieldsToCompare"'],
    [{ compare: 'allFieldsExcept' }, '"fieldsToExclude"'],
    [{ compare: 'some' }, '"compare"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(outputOf(parameters)).rejects.toThrow(message);
  });
});

describe('a failure of the whole node', () => {
  const failed = (typeVersion: number, onError: FakeRun['onError']) =>
    runNode(removeDuplicates, { json: [{ a: 1 }, { a: '1' }], typeVersion, onError });

  test('throws before version 2, so that the engine passes the items on', async () => {
    await expect(failed(1.1, 'continueRegularOutput')).rejects.toThrow('not always of the same type');
  });

  test('becomes one item for all items in version 2, if the node continues on its regular output', async () => {
    expect(await failed(2, 'continueRegularOutput')).toEqual([
      [{ json: { error: expect.stringContaining('not always of the same type') }, pairedItem: [{ item: 0 }, { item: 1 }] }],
    ]);
    await expect(failed(2, 'continueErrorOutput')).rejects.toThrow('not always of the same type');
  });
});

describe('a selected field that an item lacks', () => {
  const run = (typeVersion: number) =>
    runForJson(removeDuplicates, {
      json: [{ a: 1 }, {}, {}],
      parameters: { compare: 'selectedFields', fieldsToCompare: 'a' },
      typeVersion,
    });

  test.each([1, 1.1, 2])('is an error in version %d', async (version) => {
    await expect(run(version)).rejects.toMatchObject({ message: expect.stringContaining('no field "a"'), itemIndex: 1 });
  });
});

/** Keeps values and marks in memory. */
function memoryHistory(): SeenHistory & { cleared: string[] } {
  const values = new Set<string>();
  const marks = new Map<string, number>();
  const cleared: string[] = [];
  return {
    cleared,
    add: async (scope, added) =>
      added.map((value) => {
        const isNew = !values.has(`${scope} ${value}`);
        values.add(`${scope} ${value}`);
        return isNew;
      }),
    passMark: async (scope, mark, passing) => {
      const before = marks.get(`${scope} ${mark}`) ?? Number.NEGATIVE_INFINITY;
      marks.set(`${scope} ${mark}`, Math.max(before, ...passing));
      return passing.map((value) => value > before);
    },
    clear: async (scope) => void cleared.push(scope),
  };
}

describe('remove duplicates 2 across executions', () => {
  const operation = 'removeItemsSeenInPreviousExecutions';
  const run = (history: SeenHistory | undefined, ids: (number | string)[], parameters: (id: number | string) => JsonObject) =>
    runForJson(removeDuplicates, {
      json: ids.map((id) => ({ id })),
      parameters: (index) => ({ operation, ...parameters(ids[index] ?? '') }),
      ...(history && { history }),
    });

  test.each<[string, (id: number | string) => JsonObject]>([
    ['a value', (id) => ({ dedupeValue: id })],
    ['a number', (id) => ({ logic: 'removeItemsUpToStoredIncrementalKey', incrementalDedupeValue: id })],
    ['a date', (id) => ({ logic: 'removeItemsUpToStoredDate', dateDedupeValue: `2024-01-0${id}` })],
  ])('by %s keeps items that earlier executions have not processed', async (_, parameters) => {
    const history = memoryHistory();
    expect(await run(history, [1, 2], parameters)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await run(history, [2, 3], parameters)).toEqual([{ id: 3 }]);
  });

  test('separates the histories of node and workflow', async () => {
    const history = memoryHistory();
    await run(history, [1], (id) => ({ dedupeValue: id }));
    expect(await run(history, [1], (id) => ({ dedupeValue: id, options: { scope: 'workflow' } }))).toEqual([{ id: 1 }]);
  });

  test('clears a history and passes the items on', async () => {
    const history = memoryHistory();
    const parameters = { operation: 'clearDeduplicationHistory', options: { scope: 'workflow' } };
    expect(await runForJson(removeDuplicates, { json: [{ id: 1 }], parameters, history })).toEqual([{ id: 1 }]);
    expect(history.cleared).toEqual(['workflow']);
  });

  test('is rejected without a history store', async () => {
    await expect(run(undefined, [1], (id) => ({ dedupeValue: id }))).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  });

  test.each<[JsonObject, string]>([
    [{}, '"dedupeValue" is required'],
    [{ logic: 'removeItemsUpToStoredIncrementalKey', incrementalDedupeValue: 'x' }, '"incrementalDedupeValue"'],
    [{ logic: 'removeItemsUpToStoredDate', dateDedupeValue: 'soon' }, '"dateDedupeValue"'],
    [{ dedupeValue: 1, options: { historySize: 0 } }, '"historySize"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(run(memoryHistory(), [1], () => parameters)).rejects.toThrow(message);
  });
});
