import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { askAboutText } from '../../testing/ask-about-text.ts';

const type = '@n8n/n8n-nodes-langchain.informationExtractor';
const attribute = (name: string, more: JsonObject = {}) => ({ name, description: `the ${name}`, ...more });
const attributes = (...list: JsonObject[]) => ({ text: '={{ $json.text }}', attributes: { attributes: list } });
const letters = [{ text: 'Ann is 31' }, { text: 'Bob' }];

test('each item gets the values that the model finds in its text, with their types', async () => {
  const parameters = attributes(
    attribute('name', { required: true }),
    attribute('age', { type: 'number' }),
    attribute('born', { type: 'date' }),
    attribute('isAdult', { type: 'boolean' }),
  );
  const answers = ['{"name":"Ann","age":31,"isAdult":true}', '{"name":"Bob","age":null,"born":null}'];
  const { outputs, sources, prompts } = await askAboutText({ type, typeVersion: 1.2, parameters }, letters, [
    ...answers.map((text) => ({ text })),
  ]);
  expect(outputs).toEqual([answers.map((answer) => ({ output: JSON.parse(answer) }))]);
  expect(sources).toEqual([[0, 1]]);
  expect(prompts.map((messages) => messages[1])).toEqual(['Ann is 31', 'Bob']);
  expect(prompts[0]?.[2]).toContain('the name');
});

test('an answer without a required value is returned to the model with the reason', async () => {
  const parameters = attributes(attribute('name', { required: true }));
  const { outputs, prompts } = await askAboutText(
    { type, parameters },
    [{ text: 'a' }],
    [{ text: '{}' }, { text: 'Sure: {"name":"Ann"}' }],
  );
  expect(outputs).toEqual([[{ output: { name: 'Ann' } }]]);
  expect(prompts[1]?.at(-1)).toMatch(/does not match the required format.*name/s);
});

test('the schema comes from a JSON example, whose fields are required from version 1.2 on', async () => {
  const parameters = { text: 'a', schemaType: 'fromJson', jsonSchemaExample: '{"city":"Rome","people":3}' };
  const answer = [{ text: '{"city":"Oslo"}' }];
  expect((await askAboutText({ type, typeVersion: 1.1, parameters }, [{}], answer)).outputs).toEqual([
    [{ output: { city: 'Oslo' } }],
  ]);
  const { outcome } = await askAboutText({ type, typeVersion: 1.2, parameters }, [{}], answer);
  expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('people') } });
});

test('the author may write the schema and the instructions', async () => {
  const schema = { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } }, required: ['tags'] };
  const parameters = {
    text: 'a',
    schemaType: 'manual',
    inputSchema: JSON.stringify(schema),
    options: { systemPromptTemplate: 'Find tags.' },
  };
  const { outputs, prompts } = await askAboutText({ type, parameters }, [{}], [{ text: '{"tags":["x"]}' }]);
  expect(outputs).toEqual([[{ output: { tags: ['x'] } }]]);
  expect(prompts[0]?.[0]).toBe('Find tags.');
});

test.each([
  [{ text: 'a' }, 'no attributes are defined'],
  [attributes(attribute(' ')), 'an attribute has no name'],
  [{ text: 'a', schemaType: 'manual', inputSchema: '{' }, 'inputSchema'],
  [{ text: 'a', schemaType: 'guess' }, 'schemaType'],
  [attributes(attribute('a')), 'text'],
] as [JsonObject, string][])('the parameters %j are refused before the model is asked', async (parameters, message) => {
  const { outcome, prompts } = await askAboutText({ type, parameters }, [{}], [{ text: '{}' }]);
  expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining(message) } });
  expect(prompts).toEqual([]);
});

test('a failed item becomes an item with the error, or goes to the error output', async () => {
  const parameters = attributes(attribute('name', { required: true }));
  const answers = [...Array(3).fill({ text: 'no' }), { text: '{"name":"Bob"}' }];
  const regular = await askAboutText({ type, parameters, onError: 'continueRegularOutput' }, letters, answers);
  expect(regular.outputs[0]).toEqual([{ error: expect.stringContaining('no JSON') }, { output: { name: 'Bob' } }]);
  const separate = await askAboutText({ type, parameters, onError: 'continueErrorOutput' }, letters, answers);
  expect(separate.outputs[0]).toEqual([{ output: { name: 'Bob' } }]);
  expect(separate.sources[1]).toEqual([0]);
});
