import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type ChatSessionMessage, ChatSessionRepository, ExpiredRowRepository } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aStoredWorkflow } from './a-workflow.ts';

let workflowId: string;

const limits = { maxBytesPerWorkflow: 1_000_000, sessionsPerWorkflow: 4 };
const exchange = (content: string): ChatSessionMessage[] => [
  { role: 'user', content },
  { role: 'assistant', content: `re: ${content}` },
];
const texts = (messages: readonly ChatSessionMessage[]) => messages.map(({ content }) => content);

const database = await testDatabase();
/** Repositories of two workers. */
const sessions = new ChatSessionRepository(database.db.kysely, limits);
const others = new ChatSessionRepository(database.db.kysely, limits);
beforeEach(async () => {
  workflowId = (await aStoredWorkflow(database.db)).workflowId;
});
afterAll(() => database.drop());

test('two workers share a session but not other sessions', async () => {
  const session = { workflowId, key: 'a\u0000' };
  await sessions.append(session, exchange('hi\u0000'));
  await others.append(session, exchange('again'));
  expect(await sessions.read(session)).toEqual([...exchange('hi\u0000'), ...exchange('again')]);
  expect(await sessions.read({ workflowId, key: 'b' })).toEqual([]);
  const other = (await aStoredWorkflow(database.db)).workflowId;
  expect(await sessions.read({ workflowId: other, key: 'a\u0000' })).toEqual([]);
});

test('concurrent executions lose nothing, and their exchanges stay together', async () => {
  const session = { workflowId, key: 'a' };
  const names = Array.from({ length: 40 }, (_, n) => `q${n}`);
  await Promise.all(names.map((name, n) => (n % 2 === 0 ? sessions : others).append(session, exchange(name))));
  const contents = texts(await sessions.read(session));
  expect(contents.filter((_, n) => n % 2 === 0).toSorted()).toEqual(names.toSorted());
  for (let n = 0; n < contents.length; n += 2) expect(contents[n + 1]).toBe(`re: ${contents[n]}`);
});

test('the newest messages, or all messages, can be deleted', async () => {
  const session = { workflowId, key: 'a' };
  await sessions.append(session, [...exchange('1'), ...exchange('2')]);
  await sessions.clear(session, 0);
  await sessions.clear(session, 3);
  expect(texts(await sessions.read(session))).toEqual(['1']);
  await sessions.clear(session);
  expect(await sessions.read(session)).toEqual([]);
});

test('a session keeps only its newest messages, up to a number of messages and characters', async () => {
  const many = { workflowId, key: 'many' };
  for (let round = 0; round < 3; round += 1)
    await sessions.append(
      many,
      Array.from({ length: 200 }, (_, n) => ({ role: 'user', content: `${round}/${n}` })),
    );
  const contents = texts(await sessions.read(many));
  expect([contents.length, contents[0], contents.at(-1)]).toEqual([500, '0/100', '2/199']);
  const long = { workflowId, key: 'long' };
  for (const letter of 'abcdef') await sessions.append(long, [{ role: 'user', content: letter.repeat(200_000) }]);
  expect((await sessions.read(long)).map(({ content }) => [content[0], content.length])).toEqual(
    ['c', 'd', 'e', 'f'].map((letter) => [letter, 128 * 1024]),
  );
});

test('a workflow keeps only its most recently changed sessions, up to a number of sessions and bytes', async () => {
  for (const key of ['a', 'b', 'c', 'd']) await sessions.append({ workflowId, key }, exchange(key));
  await sessions.append({ workflowId, key: 'a' }, exchange('again'));
  await sessions.append({ workflowId, key: 'e' }, exchange('e'));
  const remainingKeys = async () => {
    const entries = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(async (key) => [key, await sessions.read({ workflowId, key })] as const),
    );
    return entries.filter(([, messages]) => messages.length > 0).map(([key]) => key);
  };
  expect(await remainingKeys()).toEqual(['a', 'c', 'd', 'e']);
  const small = new ChatSessionRepository(database.db.kysely, { maxBytesPerWorkflow: 600 });
  await small.append({ workflowId, key: 'b' }, exchange('b'));
  expect(await remainingKeys()).toEqual(['b', 'e']);
});

test('an append that cannot delete excess sessions stores nothing, so that a retry stores its messages once', async () => {
  for (const key of ['a', 'b', 'c', 'd']) await sessions.append({ workflowId, key }, exchange(key));
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'refused'; END$$`.execute(
    database.db.kysely,
  );
  await sql`CREATE TRIGGER refuse BEFORE DELETE ON chat_sessions EXECUTE FUNCTION refuse()`.execute(database.db.kysely);
  const session = { workflowId, key: 'e' };
  await expect(sessions.append(session, exchange('e'))).rejects.toThrow('refused');
  await sql`DROP FUNCTION refuse CASCADE`.execute(database.db.kysely);
  await sessions.append(session, exchange('e'));
  expect(texts(await sessions.read(session))).toEqual(['e', 're: e']);
});

test('sessions expire and are deleted with their workflow', async () => {
  const expired = new ExpiredRowRepository(database.db.kysely, { batch: 2 });
  for (const key of ['old 1', 'old 2', 'young']) await sessions.append({ workflowId, key }, exchange(key));
  await sql`UPDATE chat_sessions SET updated_at = now() - interval '8 days'
    WHERE workflow_id = ${workflowId} AND hash <> sha256('young'::bytea)`.execute(database.db.kysely);
  expect([await expired.deleteChatSessions(7), await expired.deleteChatSessions(7)]).toEqual([true, false]);
  expect(texts(await sessions.read({ workflowId, key: 'young' }))).toEqual(['young', 're: young']);
  expect(await sessions.read({ workflowId, key: 'old 1' })).toEqual([]);
  await database.db.kysely.deleteFrom('workflows').where('id', '=', workflowId).execute();
  expect(await sessions.read({ workflowId, key: 'young' })).toEqual([]);
  await sessions.append({ workflowId, key: 'young' }, exchange('late'));
  expect(await sessions.read({ workflowId, key: 'young' })).toEqual([]);
});
